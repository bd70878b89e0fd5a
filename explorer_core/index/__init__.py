"""The symbol graph and full-text search: facts are stored per file, relations resolved on demand.

The packages, from the bottom up; each imports only those before it:

``languages``   what is particular to each language: queries and specs, as data
``extraction``  the facts of one file: definitions, references, imports, types as written
``terms``       the words of one file, split into the units that search ranks
``storage``     rows of facts and words, the store that keeps them, and views of the store
``workers``     processes that extract facts and words from many files
``resolution``  what a reference means, from the facts of many files
``search``      which units contain the words of a question

Between them lie `packing` (numbers as bytes) and `symbols` (the data types of the graph). On top of
them stand `location` (where an index is kept), `sync` (brings the store up to date with the files),
`contents` (how much it holds), `definitions` (symbols by id, file, name and line), `graph`
(callers, callees, uses), `prizes`, `families`, `flow`, `spine` and `skeleton` (which parts of the
graph a question is shown), and `index`, the front door.
"""
