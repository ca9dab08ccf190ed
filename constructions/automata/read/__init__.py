"""Automata from what people write: ``regular_expressions`` by their ``derivatives``, DFAs, NFAs and groups (``sources``, ``small_groups``), JSON
(``machine_files``), Mealy, partial and minimal machines (``machines``), named ``tasks``, and ``families`` for tests and benchmarks.
"""
