"""What can which model do, and why: a table derived from the ledger.

``knowledge/*.toml`` hold what is put in: models, tasks, which holds which, and what single claims decide. :mod:`.inference` closes it, and every
cell carries the chain that gives it.
"""
