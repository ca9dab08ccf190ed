"""All five scaffolds in one copy of the tree: their ids are verified, their files are tidy, and the site is built with them. About a minute."""

import tempfile
from pathlib import Path

from begun import CLAIM, EXPERIMENT, FINDING, MODEL, NEW_CLAIM, NOTEBOOK, PAPER, copied, go

#: pages of the site, and what each must say
PAGES = {
    "claims/byron43.lemma1.html": "twice n is n + n",
    "claims/new.gating.double.html": "Peano 1889",
    "claims/grazzi25.thm1.doubled.html": "twice n is not n n",
    "papers/byron43.html": "Byron et al., Notes by the translator",
    "papers/byron43-errata.html": "Errata for Byron et al.",
    "can/delta-binary.html": "binary DeltaNet",
    "topics/parity.html": "lemmata train new.made",
    "notebooks/gating_made.html": "A gate at work",
}


def main() -> None:
    """Raises ``AssertionError`` with what a command said, or which page says too little."""
    with tempfile.TemporaryDirectory() as folder:
        tree = copied(Path(folder))
        for command in (PAPER, CLAIM, NEW_CLAIM, FINDING, MODEL, EXPERIMENT, NOTEBOOK):
            print(go(tree, "lemmata", *command), end="")
        print(go(tree, "lemmata", "verify", CLAIM[2], NEW_CLAIM[2], FINDING[2], "--sabotage").splitlines()[-1])
        go(tree, "lemmata", "atlas", "--out", "atlas-out")
        for page, words in PAGES.items():
            assert words in (tree / "atlas-out" / page).read_text(encoding="utf-8"), f"{page} does not say {words!r}"
        print(f"the site has the pages of all five: {', '.join(PAGES)}")


if __name__ == "__main__":
    main()
