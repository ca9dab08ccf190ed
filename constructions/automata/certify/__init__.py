"""Weights that were trained elsewhere: ``trained_weights`` reads them, ``rounding_weights`` proposes exact ones nearby, ``certifying`` proves or refutes
them, ``certified_document`` is what is kept.
"""
