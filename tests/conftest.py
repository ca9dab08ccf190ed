"""One deterministic Hypothesis profile for everyone: the same examples on every machine."""

from hypothesis import HealthCheck, settings

settings.register_profile("fixed", derandomize=True, deadline=None, max_examples=40, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("fixed")
