"""Attacks on the three laws of training: random layers and directions, whose growth is decided by the recurrence of the second moments alone."""

from __future__ import annotations

from random import Random

from ...constructions.automata.layers.perturbed import conjugated, growth, limits
from ...numerics import exact
from ...numerics.exact import Array
from .attack import Outcome, attack


def signed_permutation(rng: Random, n: int) -> Array:
    """A random signed permutation matrix."""
    A = exact.zeros(n, n)
    for i, j in enumerate(rng.sample(range(n), n)):
        A[i, j] = exact.rational(rng.choice((1, -1)))
    return A


def small_matrix(rng: Random, n: int, m: int) -> Array:
    """Entries -1, 0 and 1."""
    return exact.rationals([[rng.choice((-1, 0, 1)) for _ in range(m)] for _ in range(n)])


@attack(
    "new.automata.hessian",
    "random signed permutations, reducible and periodic ones among them, with random, skew, conjugate and zero directions",
)
def growth_of_perturbed_layers(size: int) -> Outcome:
    """``size`` layers of width at most 3: T^2 iff the drift is not 0, else T iff the variance is not, and bounded for conjugate letters."""
    rng, cases, broken = Random(35), 0, []
    for _ in range(max(size // 10, 1)):
        n = rng.randint(1, 3)
        maps = [signed_permutation(rng, n) for _ in range(rng.randint(1, 3))]
        start = small_matrix(rng, n, 1)
        rough, skew = small_matrix(rng, n, n), small_matrix(rng, n, n)
        skew = skew - skew.T
        chosen = {
            "one random direction": [rough, *[rough * 0 for _ in maps[1:]]],
            "skew": [A @ skew for A in maps],
            "one skew": [maps[0] @ skew, *[rough * 0 for _ in maps[1:]]],
            "conjugate": [conjugated(A, rough) for A in maps],
        }
        for name, directions in chosen.items():
            cases += 1
            power, found = max(growth(maps, directions, start)[0], 0), limits(maps, directions, start)
            said = 2 if (found.drift != 0).any() else int(found.variance != 0)
            if power != said or (name == "conjugate" and power):
                broken.append(f"{name}: T^{power}, the group says T^{said}: {[exact.freeze(A) for A in maps]}, {exact.freeze(start)}")
    return Outcome(cases, broken)
