"""Double click or command line: the window, or one command."""

from __future__ import annotations

import argparse
import sys


def main() -> int:
    """Open the window, or run the command that was given."""
    from rony_desktop.cli.main import command, parsed, run

    options = parsed(sys.argv[1:])
    work = command if options.command else window
    return run(lambda: work(options))


def window(options: argparse.Namespace) -> int:
    """Open the window; only here is Qt imported."""
    from rony_desktop.ui.feature import skip_feature_scan

    skip_feature_scan()
    from rony_desktop.ui.application import open_window

    return open_window(options)


if __name__ == "__main__":
    sys.exit(main())
