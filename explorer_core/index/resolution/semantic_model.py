"""Builds and connects the parts that evaluate a program's names, types and expressions."""

from __future__ import annotations

from explorer_core.index.resolution.evaluation import Evaluation
from explorer_core.index.resolution.expressions.calls import Calls
from explorer_core.index.resolution.expressions.entries import Entries
from explorer_core.index.resolution.expressions.expressions import Expressions
from explorer_core.index.resolution.expressions.heads import Heads
from explorer_core.index.resolution.expressions.listings import Listings
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
from explorer_core.index.resolution.hierarchy.extended_collections import ExtendedCollections
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
    """The parts of one program's semantic model. Each is given the parts that are built before it,
    and reaches the others through the model once that is complete."""

    def __init__(self, program: Program, names: Names) -> None:
        evaluation = Evaluation()
        variables = self.variables = Variables(program, self, evaluation)
        elements = Elements(program, self, variables)
        owners = self.owners = Owners(self)
        types = self.types = NamedTypes(program, names, self, variables, elements, owners)
        hierarchy = Hierarchy(program, names, types, variables, owners, evaluation)
        self.hierarchy = hierarchy
        self.extended_collections = ExtendedCollections(
            program, names, types, hierarchy, elements, evaluation
        )
        listings = self.listings = Listings(self, evaluation, hierarchy, elements)
        self.inheritance = Inheritance(program, hierarchy)
        self.overriding = Overriding(program, hierarchy, self.inheritance)
        receivers = self.receivers = Receivers(program, elements, hierarchy)
        self.extensions = Extensions(program, names, owners, receivers)
        self.visibility = Visibility(program, names, owners)
        lambdas = self.lambdas = Lambdas(program, hierarchy, types, self, elements, evaluation)
        objects = Objects(lambdas)
        supers = self.supers = Supers(hierarchy, owners, objects)
        implicit = self.implicit = Implicit(program, hierarchy, lambdas)
        scopes = Scopes(program, names, hierarchy, owners, objects, implicit, self, variables)
        self.scopes = scopes
        calls = self.calls = Calls(
            program,
            names,
            types,
            variables,
            owners,
            hierarchy,
            elements,
            receivers,
            lambdas,
            evaluation,
        )
        members = self.members = Members(
            program,
            names,
            types,
            variables,
            hierarchy,
            self.extended_collections,
            elements,
            Entries(scopes, variables),
            self.extensions,
            self.visibility,
            calls,
            evaluation,
        )
        self.qualified_names = QualifiedNames(names, scopes, members)
        requests = Requests(program, types, elements, self)
        heads = Heads(names, types, owners, objects, supers, implicit, scopes, calls, requests)
        self.expressions = Expressions(
            types,
            owners,
            elements,
            lambdas,
            supers,
            calls,
            members,
            listings,
            heads,
            self.qualified_names,
            Macros(program),
            requests,
            evaluation,
        )
