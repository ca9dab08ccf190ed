"""Large sweeps: the choice of device (``devices``: NumPy or CuPy) and results streamed to disk (``sweeps``). No GPU is needed.

The batched linear algebra is array-API code in ``numerics`` and runs on CuPy arrays as it stands; it has not been run on a GPU yet.
"""
