"""Prefix sums for any associative operator: a work-efficient parallel scan on NumPy, torch and CuPy arrays, and the loop that it stands for.

The scan pairs neighbours, scans the pairs, and fills in the rest (Ladner and Fischer 1980; Blelloch 1990): fewer than 2n applications of the
operator in at most 2 log2(n) batched calls, against n - 1 calls for the loop.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from math import prod
from typing import Any

from array_api_compat import array_namespace, device, is_array_api_obj, is_torch_namespace

from .masked import refuse_masked

Operator = Callable[[Any, Any], Any]


def associative_scan(op: Operator, elements: Any, axis: int = 0, reverse: bool = False) -> Any:
    """The prefixes a_0, a_0 op a_1, ..., a_0 op ... op a_(n-1) along ``axis``. Equivalent to ``jax.lax.associative_scan``.

    ``elements`` is an array or a nest of tuples, lists and dicts of arrays with the same size n along ``axis``; ``op(a, b)`` takes two such nests,
    the earlier one first, and works on all positions along the axis at once. n = 0 and n = 1 give the elements back. ``reverse`` scans from the
    end: position i holds a_(n-1) op ... op a_i, the later element first. Differentiable where the arrays are.

    If ``op`` is not associative the result is a bracketing of its own, which is the loop's for every input if and only if
    (u op b) op c = u op (b op c) for every u that is itself a product (claim ``new.bistable.scan-law``).

    Raises ``ValueError`` if there is no array, the sizes along the axis differ, the axis does not exist, an array is masked, or ``op`` returns
    another number of arrays or other shapes than it was given.
    """
    leaves, rebuild = flatten(elements)
    sizes = [_size(x, axis) for x in leaves]
    if not leaves or len(set(sizes)) > 1:
        raise ValueError(f"expected arrays of the same size along axis {axis}, got sizes {sizes}")
    axes = [axis % len(x.shape) for x in leaves]

    if reverse:
        leaves = [_flip(x, k) for x, k in zip(leaves, axes, strict=True)]
    out = _scan(_on_leaves(op, rebuild), leaves, axes)
    if reverse:
        out = [_flip(x, k) for x, k in zip(out, axes, strict=True)]
    return rebuild(out)


def _on_leaves(op: Operator, rebuild: Callable[[list[Any]], Any]) -> Operator:
    """``op`` on lists of arrays. Raises ``ValueError`` unless it returns as many arrays as it is given, of the same shapes."""

    def on_leaves(a: list[Any], b: list[Any]) -> list[Any]:
        out, _ = flatten(op(rebuild(a), rebuild(b)))
        if len(out) != len(b):
            raise ValueError(f"expected the operator to return {len(b)} arrays, as it was given, got {len(out)}")
        given, found = ([tuple(getattr(x, "shape", ())) for x in arrays] for arrays in (b, out))
        if given != found:
            raise ValueError(
                f"expected the operator to return arrays of the shapes that it was given, {given}, got {found}: "
                "combine position by position, and broadcast the elements first"
            )
        return out

    return on_leaves


def _scan(op: Operator, leaves: list[Any], axes: list[int]) -> list[Any]:
    n = leaves[0].shape[axes[0]]
    if n < 2:
        return leaves
    take = lambda xs, *where: [_part(x, k, slice(*where)) for x, k in zip(xs, axes, strict=True)]  # noqa: E731
    # prefixes that end at odd positions are prefixes of the pairs; one more element gives those at even positions
    odd = _scan(op, op(take(leaves, 0, n - 1, 2), take(leaves, 1, n, 2)), axes)
    if n == 2:
        even = take(leaves, 0, 1)
    else:
        even = op(take(odd, 0, (n - 1) // 2), take(leaves, 2, n, 2))
        even = [_concat([a, b], k) for a, b, k in zip(take(leaves, 0, 1), even, axes, strict=True)]
    return [_interleave(a, b, k) for a, b, k in zip(even, odd, axes, strict=True)]


def sequential_scan(op: Operator, elements: Any, axis: int = 0) -> Any:
    """The same prefixes by a loop, bracketed from the left: the meaning of the scan, and what it is measured against."""
    leaves, rebuild = flatten(elements)
    sizes = [_size(x, axis) for x in leaves]
    if not leaves or len(set(sizes)) > 1:
        raise ValueError(f"expected arrays of the same size along axis {axis}, got sizes {sizes}")
    axes = [axis % len(x.shape) for x in leaves]
    if sizes[0] < 2:
        return elements
    at = lambda t: [_part(x, k, slice(t, t + 1)) for x, k in zip(leaves, axes, strict=True)]  # noqa: E731
    prefixes, step = [at(0)], _on_leaves(op, rebuild)
    for t in range(1, sizes[0]):
        prefixes.append(step(prefixes[-1], at(t)))
    return rebuild([_concat([p[i] for p in prefixes], k) for i, k in enumerate(axes)])


# -- the operators of recurrences ------------------------------------------------------------------------------------------


def compose_affine(first: tuple[Any, Any], then: tuple[Any, Any]) -> tuple[Any, Any]:
    """(a, b) after (a', b'): the map h -> a h + b entrywise, ``first`` applied first (degeeter26, Theorem 2)."""
    return first[0] * then[0], then[0] * first[1] + then[1]


def compose_matrices(first: tuple[Any, Any], then: tuple[Any, Any]) -> tuple[Any, Any]:
    """The same for H -> A H + B with matrices in the last two axes."""
    return then[0] @ first[0], then[0] @ first[1] + then[1]


def linear_recurrence(a: Any, b: Any, initial: Any, axis: int = 0) -> Any:
    """h_t = a_t h_(t-1) + b_t entrywise along ``axis``, h_0 = ``initial`` of the shape without that axis; the states h_1, h_2, ...

    By the scan, or step by step where that is quicker (:func:`prefers_loop`). Equal in exact arithmetic; in floating point see claim
    ``new.bistable.scan-error``. Differentiable where the arrays are.
    """
    refuse_masked(a, b, initial)
    xp = array_namespace(a)
    initial = initial if is_array_api_obj(initial) else xp.asarray(initial)
    if prefers_loop(b, axis):
        return _step_by_step(xp, a, b, initial, axis % len(b.shape))
    products, sums = associative_scan(compose_affine, (a, b), axis)
    return products * xp.expand_dims(initial, axis=axis) + sums


def _step_by_step(xp: Any, a: Any, b: Any, state: Any, axis: int) -> Any:
    # a gradient passes through a stack of states; else each is stored while it is at hand
    traced = any(getattr(x, "requires_grad", False) for x in (a, b, state))
    states, out = [], None if traced else xp.empty(b.shape, dtype=xp.result_type(a, b, state), device=device(b))
    for t, (factor, term) in enumerate(zip(xp.unstack(a, axis=axis), xp.unstack(b, axis=axis), strict=True)):
        # one call where there is one
        state = xp.addcmul(term, factor, state) if is_torch_namespace(xp) else factor * state + term
        if out is None:
            states.append(state)
        else:
            out[(slice(None),) * axis + (t,)] = state
    return xp.stack(states, axis=axis) if out is None else out


#: entries of one position from which a step takes longer than its calls, so that the loop's least work wins on the CPU (``benchmarks/scan.py``)
WIDE = 512


def prefers_loop(x: Any, axis: int = 0, wide: int = WIDE) -> bool:
    """Whether a recurrence along ``axis`` of an array like ``x`` is quicker step by step: on the CPU, where there are ``wide`` entries at each position.

    On other devices a call costs as much as the work of many thousand entries.
    """
    here = device(x)
    return x.shape[axis] > 0 and prod(x.shape) // x.shape[axis] >= wide and (here == "cpu" or getattr(here, "type", None) == "cpu")


# -- bracketings, for proofs ------------------------------------------------------------------------------------------------


@cache
def bracketings(n: int, first: int = 0) -> tuple[Any, ...]:
    """All binary trees over the leaves first .. first + n - 1 in order, as nested pairs: C(2n-2, n-1)/n of them."""
    if n == 1:
        return (first,)
    return tuple((left, right) for k in range(1, n) for left in bracketings(k, first) for right in bracketings(n - k, first + k))


def evaluate(tree: Any, op: Operator, elements: Any) -> Any:
    """The product of ``elements`` in the order that a tree of ``bracketings`` says."""
    return op(evaluate(tree[0], op, elements), evaluate(tree[1], op, elements)) if isinstance(tree, tuple) else elements[tree]


def flatten(nest: Any) -> tuple[list[Any], Callable[[list[Any]], Any]]:
    """The arrays of a nest of tuples, lists and dicts in order, and the function that puts others into the same nest."""
    leaves = list(_leaves(nest))

    def rebuild(values: list[Any]) -> Any:
        rest = iter(values)
        return _fill(nest, rest)

    return leaves, rebuild


def _leaves(nest: Any) -> Iterator[Any]:
    if isinstance(nest, dict):
        nest = [nest[name] for name in sorted(nest)]
    if isinstance(nest, list | tuple):
        for part in nest:
            yield from _leaves(part)
    else:
        yield nest


def _fill(nest: Any, values: Iterator[Any]) -> Any:
    if isinstance(nest, dict):
        # by name: an operator may build its dict in another order
        filled = {name: _fill(nest[name], values) for name in sorted(nest)}
        return {name: filled[name] for name in nest}
    if isinstance(nest, list | tuple):
        parts = [_fill(part, values) for part in nest]
        # a named tuple takes its fields one by one
        return type(nest)(*parts) if hasattr(nest, "_fields") else type(nest)(parts)
    return next(values)


# -- slices along an axis, in the array API -----------------------------------------------------------------------------------


def _size(x: Any, axis: int) -> int:
    refuse_masked(x)
    shape = getattr(x, "shape", ())
    if not -len(shape) <= axis < len(shape):
        raise ValueError(f"expected arrays with an axis {axis}, got one of shape {tuple(shape)}")
    return shape[axis]


def _part(x: Any, axis: int, where: slice) -> Any:
    return x[(slice(None),) * axis + (where, ...)]


def _concat(parts: list[Any], axis: int) -> Any:
    return array_namespace(*parts).concat(parts, axis=axis)


def _flip(x: Any, axis: int) -> Any:
    return array_namespace(x).flip(x, axis=axis)


def _interleave(even: Any, odd: Any, axis: int) -> Any:
    """even_0, odd_0, even_1, ...: stacked and reshaped, so that gradients pass; ``even`` may be one longer."""
    xp, n = array_namespace(even, odd), odd.shape[axis]
    shape = (*odd.shape[:axis], 2 * n, *odd.shape[axis + 1 :])
    out = xp.reshape(xp.stack([_part(even, axis, slice(0, n)), odd], axis=axis + 1), shape)
    return _concat([out, _part(even, axis, slice(n, None))], axis) if even.shape[axis] > n else out
