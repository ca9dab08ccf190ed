"""Products of random low-rank matrices, in batches and on every kind of array."""

import numpy as np
import pytest
from lemmata.gpu.devices import choose, why_no_cuda
from lemmata.numerics.low_rank import overlaps, sample, solve, states


def test_states_are_products_of_matrices():
    W, M, Y = sample(3, 4, 2, 5, 3)
    A = W @ M.transpose(0, 1, 3, 2) / np.sqrt(15)
    found = states(W, M, Y, [(), (1, 2, 2), (2,)])
    assert np.array_equal(found[()], Y)
    product = A[:, 1] @ A[:, 1] @ A[:, 0]
    assert np.allclose(found[1, 2, 2], (product @ Y[:, :, None])[:, :, 0])
    X = overlaps(W, M, Y, [((1, 2, 2), (2,)), ((), ())])
    assert X.shape == (4, 2)
    assert np.allclose(X[:, 0], (found[1, 2, 2] * found[2,]).sum(axis=1) / 5)


def test_the_end_of_a_path_is_a_product_of_exponentials():
    from scipy.linalg import expm

    W, M, Y = sample(4, 3, 2, 6, 2)
    A = W @ M.transpose(0, 1, 3, 2) / np.sqrt(12)
    end = solve([[1, 0], [0.5, -1]], W, M, Y)
    for k in range(3):
        assert np.allclose(end[k], expm(0.5 * A[k, 0] - A[k, 1]) @ expm(A[k, 0]) @ Y[k])


def test_the_same_draws_for_the_same_seed():
    assert all(np.array_equal(a, b) for a, b in zip(sample([1, 2], 3, 1, 4, 2), sample([1, 2], 3, 1, 4, 2), strict=True))


@pytest.mark.skipif(why_no_cuda() is not None, reason=f"needs CUDA: {why_no_cuda()}")
def test_the_same_on_cupy():
    device, drawn, pairs = choose("cuda"), sample(5, 6, 2, 7, 3), [((1,), (1,)), ((1, 2), (2, 1))]
    there = [device.put(x) for x in drawn]
    assert np.allclose(device.get(overlaps(*there, pairs)), overlaps(*drawn, pairs))
    assert np.allclose(device.get(solve([[1.0, 0.5]], *there)), solve([[1.0, 0.5]], *drawn))


def test_the_same_on_torch():
    torch = pytest.importorskip("torch")
    drawn = sample(5, 6, 2, 7, 3)
    there = [torch.from_numpy(x) for x in drawn]
    assert np.allclose(overlaps(*there, [((1,), (1,)), ((1, 2), (2, 1))]).numpy(), overlaps(*drawn, [((1,), (1,)), ((1, 2), (2, 1))]))
    assert np.allclose(solve([[1.0, 0.5]], *there).numpy(), solve([[1.0, 0.5]], *drawn))
