(source_file (Decl (VarDecl . (IDENTIFIER) @name)) @definition.variable)
(ContainerDecl (Decl (VarDecl . (IDENTIFIER) @name)) @definition.variable)
(Decl (VarDecl . (IDENTIFIER) @name (ErrorUnionExpr (SuffixExpr . (ContainerDecl (ContainerDeclType) @body))))) @definition.struct
(Decl (VarDecl . (IDENTIFIER) @name (ErrorUnionExpr (SuffixExpr . (ErrorSetDecl))))) @definition.enum
(Decl (FnProto function: (IDENTIFIER) @name) (Block)? @body) @definition.function
(ContainerField field_member: (IDENTIFIER) @name) @definition.field
(ContainerField field_member: (IDENTIFIER) @name . ":" . (PrefixTypeOp)* . (ErrorUnionExpr (SuffixExpr . (IDENTIFIER)) @returns)) @returns.of
(ContainerField . (ErrorUnionExpr (SuffixExpr . (IDENTIFIER) @name .))) @definition.constant
(ErrorSetDecl field_constant: (IDENTIFIER) @name) @definition.constant
(FnProto function: (IDENTIFIER) @name [
  (ErrorUnionExpr (SuffixExpr . (IDENTIFIER)) @returns .)
  (ErrorUnionExpr (SuffixExpr) (ErrorUnionExpr (SuffixExpr . (IDENTIFIER)) @returns .))]) @returns.of
(TestDecl) @scope

(ParamDecl parameter: (IDENTIFIER) @local)
(Statement (VarDecl . (IDENTIFIER) @local))
(Payload variable: (IDENTIFIER) @local)
(PtrPayload variable: (IDENTIFIER) @local)
(PtrListPayload variable: (IDENTIFIER) @local)
(PtrIndexPayload variable: (IDENTIFIER) @local)

(SuffixExpr variable_type_function: (IDENTIFIER) @reference.use)
(SuffixExpr . (IDENTIFIER) @receiver (FieldOrFnCall function_call: (IDENTIFIER) @reference.call))
(SuffixExpr . (IDENTIFIER) @receiver (FieldOrFnCall field_access: (IDENTIFIER) @reference.read))
(FnCallArguments (ErrorUnionExpr (SuffixExpr . variable_type_function: (IDENTIFIER) @reference.argument .)))
(FieldInit field_member: (IDENTIFIER) @reference.read)
(ParamType (ErrorUnionExpr (SuffixExpr . variable_type_function: (IDENTIFIER) @reference.type .)))

(ParamDecl parameter: (IDENTIFIER) @name (ParamType (ErrorUnionExpr (SuffixExpr . (IDENTIFIER)) @type.annotation)))
(ParamDecl parameter: (IDENTIFIER) @name (ParamType (ErrorUnionExpr (SuffixExpr . (BUILTINIDENTIFIER)) @type.annotation)))
(VarDecl . (IDENTIFIER) @name . ":" . (PrefixTypeOp)* . (ErrorUnionExpr (SuffixExpr . (IDENTIFIER)) @type.annotation))
(VarDecl . (IDENTIFIER) @name . "=" . (ErrorUnionExpr (SuffixExpr . (IDENTIFIER)) @type.annotation) . (InitList))
((source_file (Decl (VarDecl . (IDENTIFIER) @name . "=" . (ErrorUnionExpr (SuffixExpr . (BUILTINIDENTIFIER) @_this . (FnCallArguments) .) @type.alias))))
  (#eq? @_this "@This"))
(VarDecl . (IDENTIFIER) @name . "=" . [
  (ErrorUnionExpr (SuffixExpr . (IDENTIFIER)) @type.alias)
  (UnaryExpr left: (ErrorUnionExpr (SuffixExpr . (IDENTIFIER)) @type.alias))
  (BinaryExpr . left: (ErrorUnionExpr (SuffixExpr . (IDENTIFIER)) @type.alias))
  (BinaryExpr . left: (UnaryExpr left: (ErrorUnionExpr (SuffixExpr . (IDENTIFIER)) @type.alias)))] .)
; The payload of an optional (`if`, `while`), and the element of a loop.
(IfPrefix (ErrorUnionExpr (SuffixExpr . (IDENTIFIER)) @type.alias) (PtrPayload variable: (IDENTIFIER) @name))
(WhilePrefix (ErrorUnionExpr (SuffixExpr . (IDENTIFIER)) @type.alias) (PtrPayload variable: (IDENTIFIER) @name))
(ForPrefix (ForArgumentsList . (ForItem (ErrorUnionExpr (SuffixExpr . (IDENTIFIER)) @type.alias))) (PtrListPayload . variable: (IDENTIFIER) @name))

((VarDecl . (IDENTIFIER) @alias
  (ErrorUnionExpr (SuffixExpr . (BUILTINIDENTIFIER) @_import . (FnCallArguments (ErrorUnionExpr (SuffixExpr (STRINGLITERALSINGLE) @module @relative))) .))) @import
  (#eq? @_import "@import"))
((VarDecl . (IDENTIFIER) @alias
  (ErrorUnionExpr (SuffixExpr . (BUILTINIDENTIFIER) @_import . (FnCallArguments (ErrorUnionExpr (SuffixExpr (STRINGLITERALSINGLE) @module @relative)))
    . (FieldOrFnCall field_access: (IDENTIFIER) @imported) .))) @import
  (#eq? @_import "@import"))
