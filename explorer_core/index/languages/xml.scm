((STag (Name) @reference.type) (#match? @reference.type "\\."))
((EmptyElemTag (Name) @reference.type) (#match? @reference.type "\\."))
