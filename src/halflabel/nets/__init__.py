"""Backbones: networks from features and a weighted graph to one logit per node, several side by side."""

from halflabel.nets.backbone import BACKBONES, Backbone, build_backbone
from halflabel.nets.features import FeatureMatrix
from halflabel.nets.own import OtherNetwork, OwnNetwork, OwnNetworks, name_of

__all__ = [
    "BACKBONES", "Backbone", "build_backbone", "FeatureMatrix",
    "OwnNetwork", "OwnNetworks", "OtherNetwork", "name_of",
]
