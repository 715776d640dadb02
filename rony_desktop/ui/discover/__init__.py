"""Models that could be downloaded: searched for or suggested, and how each would fit."""
