"""Double click or command line: the window, or one command."""

from __future__ import annotations

import sys


def main() -> int:
    """Open the window, or run the command that was given."""
    from rony_desktop.cli.main import parser, run

    options = parser().parse_args()
    if options.command:
        return run(options)
    from rony_desktop.ui.feature import skip_feature_scan

    skip_feature_scan()
    from rony_desktop.ui.application import open_window

    return open_window(options)


if __name__ == "__main__":
    sys.exit(main())
