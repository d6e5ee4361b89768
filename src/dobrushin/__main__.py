"""``python -m dobrushin``."""

from dobrushin.cli import main

main()
