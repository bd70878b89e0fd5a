"""What names, types and expressions of a program mean: the parts that find it out, each of which
asks others."""

from __future__ import annotations

from explorer_core.index.resolution.calls import Calls
from explorer_core.index.resolution.elements import Elements
from explorer_core.index.resolution.entries import Entries
from explorer_core.index.resolution.evaluation import Evaluation
from explorer_core.index.resolution.expressions import Expressions
from explorer_core.index.resolution.extensions import Extensions
from explorer_core.index.resolution.heads import Heads
from explorer_core.index.resolution.hierarchy import Hierarchy
from explorer_core.index.resolution.implicit import Implicit
from explorer_core.index.resolution.inheritance import Inheritance
from explorer_core.index.resolution.lambdas import Lambdas
from explorer_core.index.resolution.macros import Macros
from explorer_core.index.resolution.members import Members
from explorer_core.index.resolution.named_types import NamedTypes
from explorer_core.index.resolution.names import Names
from explorer_core.index.resolution.objects import Objects
from explorer_core.index.resolution.owners import Owners
from explorer_core.index.resolution.program import Program
from explorer_core.index.resolution.qualified_names import QualifiedNames
from explorer_core.index.resolution.requests import Requests
from explorer_core.index.resolution.scopes import Scopes
from explorer_core.index.resolution.supers import Supers
from explorer_core.index.resolution.variables import Variables
from explorer_core.index.resolution.visibility import Visibility


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
        self.extensions = Extensions(program, names, self.owners)
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
