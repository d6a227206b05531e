"""Pages of a league as a browser would read them, as far as tests ask."""

from html.parser import HTMLParser

from tournaments.site import LeagueView, render_site

VOID = {"meta", "link", "line", "br", "img", "input"}


class Page(HTMLParser):
    """What a browser would make of a page, as far as these tests ask."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str, str | None]] = []
        self.text = ""
        self._open: list[str] = []
        self.feed(text)
        self.close()
        assert self._open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += [(tag, name, value) for name, value in attrs]
        if tag not in VOID:
            self._open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += [(tag, name, value) for name, value in attrs]

    def handle_endtag(self, tag: str) -> None:
        self.text += " " if tag in ("td", "th", "li", "p") else ""
        assert self._open.pop() == tag
        self.tags.append(f"/{tag}")

    def handle_data(self, data: str) -> None:
        self.text += data

    def values(self, attribute: str) -> list[str]:
        """Return all values of *attribute*, in the order of the page."""
        return [value or "" for _, name, value in self.attributes if name == attribute]

    @property
    def words(self) -> str:
        """The text with single spaces."""
        return " ".join(self.text.split())


def site(view: LeagueView, **how: bool) -> dict[str, str]:
    """Return the files of the site of *view* by path."""
    return dict(render_site(view, **how))


def pages(view: LeagueView) -> dict[str, Page]:
    """Return the pages of the site of *view* by path."""
    return {path: Page(text) for path, text in render_site(view) if path.endswith(".html")}
