"""MNIST's files, images and labels, are read; what is none is refused in one line."""

import gzip
import json
import struct

import numpy as np
import pytest
from lemmata.experiments.digits import images, labelled

RNG = np.random.default_rng(0)


def write_idx(path, array, compress=False):
    shape = struct.pack(f">{array.ndim}I", *array.shape)
    data = bytes([0, 0, 8, array.ndim]) + shape + array.astype(np.uint8).tobytes()
    path.write_bytes(gzip.compress(data) if compress else data)


@pytest.mark.parametrize(("name", "compress"), [("train-images-idx3-ubyte", False), ("t10k-images.idx3-ubyte.gz", True)])
def test_mnist_files_are_read(tmp_path, name, compress):
    array = RNG.integers(0, 256, (5, 4, 3))
    write_idx(tmp_path / name, array, compress)
    assert np.array_equal(images(tmp_path, 3), array[:3] / 255)


@pytest.mark.parametrize("content", [b"", b"\x00\x00\x08\x01" + bytes(20), b"\x00\x00\x08\x03" + bytes([0, 0, 0, 2] * 3)])
def test_what_is_no_mnist_file_is_refused(tmp_path, content):
    with pytest.raises(ValueError, match="found none"):
        images(tmp_path)
    (tmp_path / "train-images-idx3-ubyte").write_bytes(content)
    with pytest.raises(ValueError, match=r"expected an IDX file|expected .* bytes after"):
        images(tmp_path)


def test_labels_belong_to_their_images(tmp_path):
    array, labels = RNG.integers(0, 256, (12, 2, 2)), RNG.integers(0, 10, 12)
    write_idx(tmp_path / "train-images-idx3-ubyte", array)
    write_idx(tmp_path / "train-labels-idx1-ubyte.gz", labels, compress=True)
    (pixels, digits), (test_pixels, test_digits) = labelled(tmp_path)
    assert (len(pixels), len(test_pixels)) == (10, 2)
    known = {tuple(image.ravel()): label for image, label in zip(array / 255, labels, strict=True)}
    every = [*zip(pixels, digits, strict=True), *zip(test_pixels, test_digits, strict=True)]
    assert {tuple(image.ravel()): label for image, label in every} == known
    # with both parts the folder's own test set is the test set
    write_idx(tmp_path / "t10k-images-idx3-ubyte", array[:3])
    write_idx(tmp_path / "t10k-labels-idx1-ubyte", labels[:3])
    (pixels, _), (test_pixels, test_digits) = labelled(tmp_path)
    assert np.array_equal(pixels, array / 255)
    assert np.array_equal(test_pixels, array[:3] / 255)
    assert np.array_equal(test_digits, labels[:3])


@pytest.mark.parametrize(
    ("labels", "message"),
    [
        (None, "expected a file such as train-labels-idx1-ubyte"),
        (np.zeros(4), "expected as many labels as images"),
        (np.full(5, 10), "labels 0 to 9"),
    ],
)
def test_labels_that_do_not_fit_are_refused_in_one_line(tmp_path, labels, message):
    write_idx(tmp_path / "train-images-idx3-ubyte", np.zeros((5, 2, 2)))
    if labels is not None:
        write_idx(tmp_path / "train-labels-idx1-ubyte", labels)
    with pytest.raises(ValueError, match=message) as refusal:
        labelled(tmp_path)
    assert "\n" not in str(refusal.value)


def test_without_a_folder_digits_come_from_scikit_learn():
    (pixels, labels), (test_pixels, test_labels) = labelled()
    assert (pixels.shape, test_pixels.shape) == ((1498, 8, 8), (299, 8, 8))
    assert set(labels) == set(test_labels) == set(range(10))
    assert pixels.min() == 0
    assert pixels.max() == 1


def test_the_package_of_npm_is_read_digit_by_digit(tmp_path):
    folder = tmp_path / "src" / "digits"
    folder.mkdir(parents=True)
    array = RNG.integers(0, 256, (11, 28, 28))
    # two zeros and one of each other digit, as the package has them: lists, to three decimals
    for digit in range(10):
        chosen = array[[0, 10]] if digit == 0 else array[[digit]]
        (folder / f"{digit}.json").write_text(json.dumps({"data": np.round(chosen.ravel() / 255, 3).tolist()}))
    assert np.array_equal(images(tmp_path, 20), array / 255)
    (pixels, digits), (test_pixels, test_digits) = labelled(tmp_path)
    assert sorted([*digits, *test_digits]) == [0, *range(10)]
    known = {tuple(image.ravel()): label for image, label in zip(array / 255, [*range(10), 0], strict=True)}
    assert all(known[tuple(image.ravel())] == label for image, label in zip([*pixels, *test_pixels], [*digits, *test_digits], strict=True))
    (folder / "3.json").write_text('{"data": [1, 2]}')
    with pytest.raises(ValueError, match="expected a list of 28 x 28 images"):
        images(tmp_path)
