"""
The compliance check of a bot: numbered steps against a real referee, each passed, failed or skipped, with the reason.

`wire` listens to what the bot and the referee say to each other, and makes trouble on order; `wording` tells it in
words; `room` plays matches with the bot in one seat; `openings`, `matches` and `ordeals` are the steps; `check` puts
them in order; `steps` is what comes out.
"""
