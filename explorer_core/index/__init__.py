"""The symbol graph and full-text search: facts per file, resolved when asked.

From the ground up, each room knowing only of those before it:

``languages``   what is particular to a language: queries and specs, as data
``extraction``  the facts of one file: definitions, references, imports, types as written
``terms``       its words, by the pieces that search ranks
``storage``     the rows made of both, the store that keeps them, and views of it
``workers``     the processes that do so for many files
``resolution``  what a reference means, from the facts of many files
``search``      which pieces have the words of a question

Between them lie `packing` (numbers as bytes) and `symbols` (the words of the graph). On the rooms
stand `location` (where an index is kept), `sync` (keeping the store in step with the files),
`contents` (how much it holds), `definitions` (symbols by id, file, name and line), `graph`
(callers, callees, uses), `prizes`, `families`, `flow`, `spine` and `skeleton` (what of it a
question is shown), and `index`, the front door.
"""
