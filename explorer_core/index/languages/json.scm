(document (object (pair key: (string (string_content) @name)) @definition.section))
(document (object (pair value: (object (pair key: (string (string_content) @name)) @definition.section))))

(document (object (pair
    key: (string (string_content) @_options)
    value: (object (pair key: (string (string_content) @name) value: (string (string_content) @returns)) @definition.section)))
  (#any-of? @_options "compilerOptions" "imports"))
(document (object (pair
    key: (string (string_content) @_table)
    value: (object (pair key: (string (string_content) @name)
      value: (object . (pair value: (string (string_content) @returns)))) @definition.section)))
  (#eq? @_table "imports"))
(document (object (pair
    key: (string (string_content) @_options)
    value: (object (pair
      key: (string (string_content) @_table)
      value: (object (pair
        key: (string (string_content) @name)
        value: [(string (string_content) @returns) (array . (string (string_content) @returns))]) @definition.section)))))
  (#eq? @_options "compilerOptions") (#eq? @_table "paths"))
