"""What the claims of topic bistable demand of their certificates, in five files: the hysteresis, languages, operators, the unit, and the instances."""

from . import bistable_hysteresis, bistable_instances, bistable_languages, bistable_magmas, bistable_unit

__all__ = ["bistable_hysteresis", "bistable_instances", "bistable_languages", "bistable_magmas", "bistable_unit"]
