"""What the claims of topic bistable demand of their certificates, in four files: the hysteresis, languages, operators, the unit."""

from . import bistable_hysteresis, bistable_languages, bistable_magmas, bistable_unit

__all__ = ["bistable_hysteresis", "bistable_languages", "bistable_magmas", "bistable_unit"]
