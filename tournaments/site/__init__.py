"""
The published pages of a league: plain HTML, JSON and CSV that work from a file system and from any static host.

::

    view = LeagueView(board=..., seats=4, sides=2, ...)     # everything the pages say, as a value
    write_site(render_site(view), Path("public"))           # text first, then one swap of the folder

`render_site` knows no clock and no disk: the same value gives the same bytes. What depends on time and machine is
in the value's `Provenance` and lands in `provenance.json` alone. The names of bots are hostile input; every text is
escaped, whatever was checked before.
"""

from tournaments.site.render import render_site
from tournaments.site.view import EntrantView, LeagueView, PartnershipView, Provenance, RoundView
from tournaments.site.write import SiteError, write_site

__all__ = [
    "EntrantView",
    "LeagueView",
    "PartnershipView",
    "Provenance",
    "RoundView",
    "SiteError",
    "render_site",
    "write_site",
]
