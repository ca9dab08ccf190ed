"""The atlas, built once for all test processes: with two figures, one claim's certificates, and Python for browsers if its folder is named.

And a browser: headless Chromium, driven by Selenium.
"""

import json
import os
import re
import shutil
from pathlib import Path

import pytest
from filelock import FileLock

#: the claim whose certificates the site offers
CLAIM = "new.parity.half"

#: the unpacked npm package ``pyodide``, if there is one
PYODIDE = os.environ.get("LEMMATA_PYODIDE")

#: a picture of one pixel
PNG = bytes.fromhex(
    "89504e470d0a1a0a0000000d4948445200000001000000010100000000376ef9240000000a49444154789c636800000082008177cd72b60000000049454e44ae426082"
)


@pytest.fixture(scope="session")
def atlas(tmp_path_factory):
    """The folder that holds ``figures``, ``certificates``, ``site``, and ``progress.json``: what was reported while it was built, how many files,
    and how many were expected."""
    own = tmp_path_factory.getbasetemp()
    folder = (own.parent if "PYTEST_XDIST_WORKER" in os.environ else own) / "atlas"
    with FileLock(f"{folder}.lock"):
        if not (folder / "progress.json").exists():
            _build(folder)
    return folder


def _build(folder: Path) -> None:
    pytest.importorskip("latex2mathml", reason="needs the extra 'atlas'")
    from lemmata.atlas.site.build import build, number_of_files
    from lemmata.theorems import verify
    from lemmata.theorems.certificates import write_certificates

    pictures = folder / "figures"
    pictures.mkdir(parents=True)
    # as ``lemmata figures`` would leave them, the second without an outcome
    for name, suffixes in {"grazzi25.fig2": ("png", "svg", "csv", "txt"), "degeeter26.fig7": ("png", "csv")}.items():
        for suffix in suffixes:
            (pictures / f"{name}.{suffix}").write_bytes(PNG if suffix == "png" else f"{name} as {suffix}".encode())
    write_certificates(verify([CLAIM])[0], folder / "certificates")
    written: list[int] = []
    options = {"pyodide": Path(PYODIDE) if PYODIDE else None, "certificates": folder / "certificates"}
    count = build(folder / "site", lambda stage, done, total: written.append(done), pictures, **options)
    (folder / "progress.json").write_text(json.dumps({"written": written, "count": count, "expected": number_of_files(pictures)}))


# -- the browser --------------------------------------------------------------------------------------------------------------------

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
DRIVER = shutil.which("chromedriver")
OPTIONS = (
    "headless=new",
    "no-sandbox",
    "disable-gpu",
    "disable-quic",
    "no-first-run",
    "disable-background-networking",
    "force-prefers-reduced-motion",
)


@pytest.fixture(scope="module")
def chromium():
    webdriver = pytest.importorskip("selenium.webdriver", reason="needs selenium, of the extra 'browser'")
    if not (CHROMIUM and DRIVER):
        pytest.skip("needs Chromium and its driver (Debian: chromium, chromium-driver)")
    options = webdriver.ChromeOptions()
    options.binary_location = CHROMIUM
    for option in (*OPTIONS, "disable-component-update", "disable-sync"):
        options.add_argument(f"--{option}")
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = webdriver.Chrome(options=options, service=webdriver.ChromeService(DRIVER))
    yield driver
    driver.quit()


@pytest.fixture
def page(site, chromium):
    """Opens a page from its file; what the console says in the meantime fails the test."""

    def open_page(path, width=1280, height=900):
        chromium.execute_cdp_cmd(
            "Emulation.setDeviceMetricsOverride", {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
        )
        # away first: a new fragment alone would not load the page again
        chromium.get("about:blank")
        file, *rest = re.split(r"(?=[?#])", path, maxsplit=1)
        chromium.get((site / file).as_uri() + "".join(rest))
        return chromium

    chromium.get_log("browser")
    yield open_page
    assert chromium.get_log("browser") == []
