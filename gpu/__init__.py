"""Large sweeps on any array library and any number of workers. No GPU is needed.

``measures``: what is computed for a cell. ``grid``: the cells and their pieces. ``folder``: the pieces on disk. ``sweeps``: all of it together.
``devices``: NumPy, CuPy or torch, and what a result was made with. ``workers``: processes of this machine, or a Dask cluster.

The batched linear algebra is array-API code; it runs on NumPy and torch, and on CuPy arrays as it stands, where it has not been run on a GPU yet.
"""
