"""Measurements as ratios, all in one run on one machine."""
