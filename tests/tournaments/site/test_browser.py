"""The pages in a real browser, from the file system."""

import shutil
import struct
import subprocess
import zlib
from pathlib import Path

import pytest
from league_views import small_league
from requirement import skip_without

from tournaments.site import render_site, write_site

FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--hide-scrollbars",
    "--enable-logging=stderr",
)


class Browser:
    """A browser of our own, which opens one page after the other."""

    def __init__(self, program: str, folder: Path) -> None:
        self._command = [program, *FLAGS, f"--user-data-dir={folder / 'profile'}"]
        self._folder = folder

    def read(self, page: Path) -> str:
        """Return the document that the browser made of *page*, which it must not complain about."""
        done = self._run("--dump-dom", page.as_uri())
        assert "CONSOLE" not in done.stderr
        return done.stdout

    def first_pixel(self, page: Path, *flags: str) -> tuple[int, int, int]:
        """Return the colour of the top left corner of *page*."""
        picture = self._folder / "picture.png"
        self._run(*flags, "--window-size=800,600", f"--screenshot={picture}", page.as_uri())
        return _first_pixel(picture.read_bytes())

    def _run(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [*self._command, *arguments], capture_output=True, text=True, check=True, timeout=100
        )


def _first_pixel(png: bytes) -> tuple[int, int, int]:
    """Return the first pixel of a picture; the filters of its first row change nothing there."""
    data, at = b"", 8
    while at < len(png):
        (length,) = struct.unpack(">I", png[at : at + 4])
        if png[at + 4 : at + 8] == b"IDAT":
            data += png[at + 8 : at + 8 + length]
        at += length + 12
    red, green, blue = zlib.decompress(data)[1:4]
    return red, green, blue


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Browser:
    """Return a Chromium."""
    program = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if program is None:
        skip_without("chromium", "there is no chromium (apt-get install chromium)")
    return Browser(program, tmp_path_factory.mktemp("browser"))


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a published league."""
    folder = tmp_path_factory.mktemp("site") / "public folder #1"
    write_site(render_site(small_league()), folder)
    return folder


@pytest.mark.parametrize(
    ("page", "shown"),
    [
        ("index.html", "<title>spring – Hand and Foot league</title>"),
        ("partnerships/aaaaaaaaaaaa.html", "<title>ann@1.0 + ann@1.0 – spring</title>"),
        ("matches/000001-aaaaaaaaaaaa-bbbbbbbbbbbb-0.html", "'cannot &lt;open&gt; \"deck\" &amp; go on'"),
    ],
)
def test_a_page_opens_from_the_file_system(browser: Browser, site: Path, page: str, shown: str) -> None:
    """A browser opens each kind of page from a folder without a complaint, and the document is the whole one."""
    document = browser.read(site / page)
    assert shown in document
    assert document.rstrip().endswith("</html>")
    assert document.count("</table>") == (site / page).read_text("utf-8").count("</table>") > 0


def test_the_style_sheet_applies_in_light_and_dark(browser: Browser, site: Path) -> None:
    """The style sheet is found from a page in a folder below, and follows the reader's choice of light or dark."""
    page = site / "matches" / "000000-aaaaaaaaaaaa-bbbbbbbbbbbb-0.html"
    light = browser.first_pixel(page)
    dark = browser.first_pixel(page, "--blink-settings=preferredColorScheme=0")
    assert all(abs(got - wanted) <= 12 for got, wanted in zip(light, (0x1D, 0x5C, 0x43), strict=True)), light
    assert all(abs(got - wanted) <= 12 for got, wanted in zip(dark, (0x14, 0x3F, 0x2F), strict=True)), dark
