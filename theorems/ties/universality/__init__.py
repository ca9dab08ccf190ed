"""Topic universality: networks, models of sequences, spectra and driven systems, against exact references."""

from . import models, networks, spectra, systems

__all__ = ["models", "networks", "spectra", "systems"]
