"""${message}."""

import sqlalchemy as sa
from alembic import op
${imports if imports else ""}
revision = "${up_revision}"
down_revision = ${f'"{down_revision}"' if down_revision else None}


def upgrade() -> None:
    """Take the step."""
    ${upgrades if upgrades else "pass"}
