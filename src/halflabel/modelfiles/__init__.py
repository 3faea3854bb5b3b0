"""Fitted methods on disk: JSON and safetensors, nothing that runs."""

from halflabel.modelfiles.store import load, save_model

__all__ = ["load", "save_model"]
