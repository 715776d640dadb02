"""A bare PySide6 window: the floor that ours is measured against."""

from __future__ import annotations

import json
import sys
import time

BEGUN = time.time()

from PySide6.QtCore import QTimer  # noqa: E402
from PySide6.QtGui import QPaintEvent  # noqa: E402
from PySide6.QtWidgets import QApplication, QWidget  # noqa: E402


class Bare(QWidget):
    """Tells when it is painted first."""

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802
        """Report once, then end."""
        if not self.property("told"):
            self.setProperty("told", True)
            QTimer.singleShot(0, self.report)

    def report(self) -> None:
        """Print time to window since the process began, and memory in use."""
        import psutil

        me = psutil.Process()
        found = {
            "window_ms": (time.time() - me.create_time()) * 1000,
            "rss_mb": me.memory_info().rss / 2**20,
        }
        print(json.dumps(found))
        QApplication.quit()


app = QApplication(sys.argv)
window = Bare()
window.resize(1200, 800)
window.show()
sys.exit(app.exec())
