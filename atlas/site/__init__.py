"""The atlas: the ledger as a static site that needs no server and loads nothing from elsewhere.

* ``text``: our words and formulas as HTML and MathML
* ``pages``: what each page shows, as data for its template
* ``questions``: the pages for practitioners, ``atlas/questions/*.md``
* ``build``: all files of the site, and writing them
"""
