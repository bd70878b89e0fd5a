(rule (targets (word) @name)) @definition.section
(define_directive name: (word) @name) @definition.section
(variable_assignment name: (word) @name) @definition.variable

(prerequisites (word) @reference.read)
(variable_reference (word) @reference.read)

(include_directive filenames: (list (word) @module)) @import
