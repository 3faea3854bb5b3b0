"""The report: one HTML file that a person can read, anywhere, offline."""

from halflabel.report.page import render_report

__all__ = ["render_report"]
