"""What names, types and expressions of a program mean: the parts that find it out, each of which
asks others."""

from __future__ import annotations

from explorer_core.index.resolution.evaluation import Evaluation
from explorer_core.index.resolution.expressions.calls import Calls
from explorer_core.index.resolution.expressions.entries import Entries
from explorer_core.index.resolution.expressions.expressions import Expressions
from explorer_core.index.resolution.expressions.heads import Heads
from explorer_core.index.resolution.expressions.members import Members
from explorer_core.index.resolution.expressions.qualified_names import QualifiedNames
from explorer_core.index.resolution.expressions.requests import Requests
from explorer_core.index.resolution.expressions.scopes import Scopes
from explorer_core.index.resolution.expressions.supers import Supers
from explorer_core.index.resolution.functions.extensions import Extensions
from explorer_core.index.resolution.functions.implicit import Implicit
from explorer_core.index.resolution.functions.lambdas import Lambdas
from explorer_core.index.resolution.functions.objects import Objects
from explorer_core.index.resolution.functions.overriding import Overriding
from explorer_core.index.resolution.functions.receivers import Receivers
from explorer_core.index.resolution.hierarchy.hierarchy import Hierarchy
from explorer_core.index.resolution.hierarchy.inheritance import Inheritance
from explorer_core.index.resolution.names.macros import Macros
from explorer_core.index.resolution.names.names import Names
from explorer_core.index.resolution.program import Program
from explorer_core.index.resolution.types.elements import Elements
from explorer_core.index.resolution.types.named_types import NamedTypes
from explorer_core.index.resolution.types.owners import Owners
from explorer_core.index.resolution.types.variables import Variables
from explorer_core.index.resolution.types.visibility import Visibility


class SemanticModel:
    """The parts of one program's model. What a part asks of those before it is handed to it; it
    comes to the others through the model, once that is whole."""

    def __init__(self, program: Program, names: Names) -> None:
        evaluation = Evaluation()
        self.variables = Variables(program, self, evaluation)
        elements = Elements(program, self, self.variables)
        self.owners = Owners(self)
        self.types = NamedTypes(program, names, self, self.variables, elements, self.owners)
        self.hierarchy = Hierarchy(
            program, names, self.types, self.variables, self.owners, evaluation
        )
        self.inheritance = Inheritance(program, self.hierarchy)
        self.overriding = Overriding(program, self.hierarchy, self.inheritance)
        self.receivers = Receivers(program, elements, self.hierarchy)
        self.extensions = Extensions(program, names, self.owners, self.receivers)
        self.visibility = Visibility(program, names, self.owners)
        self.lambdas = Lambdas(program, self.hierarchy, self.types, self, elements, evaluation)
        objects = Objects(self.lambdas)
        self.supers = Supers(self.hierarchy, self.owners, objects)
        self.implicit = Implicit(program, self.hierarchy, self.lambdas)
        self.scopes = Scopes(
            program,
            names,
            self.hierarchy,
            self.owners,
            objects,
            self.implicit,
            self,
            self.variables,
        )
        self.calls = Calls(
            program,
            names,
            self.types,
            self.variables,
            self.owners,
            self.hierarchy,
            elements,
            self.receivers,
            self.lambdas,
            evaluation,
        )
        self.members = Members(
            program,
            names,
            self.types,
            self.variables,
            self.hierarchy,
            elements,
            Entries(self.scopes),
            self.extensions,
            self.visibility,
            self.calls,
            evaluation,
        )
        self.qualified_names = QualifiedNames(names, self.scopes, self.members)
        requests = Requests(program, self.types)
        heads = Heads(
            names,
            self.types,
            self.owners,
            objects,
            self.supers,
            self.implicit,
            self.scopes,
            self.calls,
            requests,
        )
        self.expressions = Expressions(
            self.types,
            elements,
            self.lambdas,
            self.supers,
            self.calls,
            self.members,
            heads,
            self.qualified_names,
            Macros(program),
            requests,
            evaluation,
        )
