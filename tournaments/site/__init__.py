"""
The published pages of a league: plain HTML, JSON and CSV that work from a file system and from any static host.

::

    view = LeagueView(board=..., seats=4, ...)              # everything the pages say, as a value
    write_site(render_site(view), Path("public"))           # pure text first, then one atomic swap of the folder

`render_site` knows no clock and no disk: the same value gives the same bytes. What depends on time and machine is
in the value's `Provenance` and lands in `provenance.json` alone.
"""
