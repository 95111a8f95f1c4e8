"""Reads the models of the package MechanicalFMUs with two front ends of Modelica, and resolves the names in them.

usage: names.py PACKAGE FILE...

Rumoca and pymoca must accept each file. Then each name that a file uses must be declared in it, in the package or in the
Standard Library, of which Modelica.mo of this folder has what the models use; members and modifiers must be those of the
declared type. Prints what is wrong, and a line for each file.
"""

import os
import re
import sys

import pymoca.ast as ast
import pymoca.parser
import rumoca

HERE = os.path.dirname(os.path.abspath(__file__))
TYPES = {"Real", "Integer", "Boolean", "String"}
ATTRIBUTES = {"value", "start", "fixed", "unit", "displayUnit", "quantity", "min", "max", "nominal", "stateSelect"}
BUILT_IN = TYPES | set(
    """abs acos asin assert atan2 cat change cos cross der edge fill homotopy identity initial integer matrix max min mod
    noEvent not ones outerProduct pre product reinit root sample scalar sign sin size skew smooth sqrt sum symmetric tan
    terminal terminate time transpose vector zeros Connections ExternalObject StateSelect""".split()
)


def parsed(path):
    """The classes of a file; an error is that of pymoca."""
    with open(path, encoding="utf-8") as file:
        return pymoca.parser.parse(file.read())


def parts(reference):
    """The names of a reference, without indices."""
    names = [reference.name]
    while reference.child:
        reference = reference.child[0]
        names.append(reference.name)
    return names


class Library:
    """Classes by their full names."""

    def __init__(self):
        self.classes = {}

    def add(self, tree, prefix=()):
        for name, found in tree.classes.items():
            if not prefix and name in TYPES | {"StateSelect", "Clock"}:
                continue
            path = (*prefix, name)
            # `within` has a package around the class.
            if found.symbols or found.extends or path not in self.classes:
                self.classes[path] = found
            self.add(found, path)

    def find(self, names, scope):
        """The path of a class, from inside another one outwards, or through those that it extends."""
        for length in range(len(scope), -1, -1):
            path = (*scope[:length], *names)
            if path in self.classes:
                return path
        for base in self.bases(scope):
            if (*base, *names) in self.classes:
                return (*base, *names)
        return None

    def bases(self, path):
        for extends in self.classes[path].extends if path in self.classes else ():
            base = self.find(parts(extends.component), path[:-1])
            if base:
                yield base
                yield from self.bases(base)

    def symbol(self, path, name):
        """A variable of a class with the class that has it, own or inherited."""
        for owner in (path, *self.bases(path)):
            symbols = self.classes[owner].symbols
            if name in symbols:
                return symbols[name], owner
        return None, None


class Reader:
    """Finds what the names of one class mean."""

    def __init__(self, library, path, text):
        self.library, self.path, self.text, self.wrong = library, path, text, []
        self.indices = set(re.findall(r"\bfor (\w+) in ", text))

    def refuse(self, names, why):
        self.wrong.append(f"{'.'.join(names)}: {why}")

    def check_class(self, names):
        """A class, whose path it returns; None for a type of the language."""
        if names[0] in TYPES or names == ["StateSelect"] or names == ["ExternalObject"]:
            return None
        path = self.library.find(names, self.path)
        if path is None:
            self.refuse(names, "no such class")
        return path

    def check(self, names):
        """A variable, function, class or item of an enumeration."""
        if names[0] in BUILT_IN | self.indices:
            return
        if self.library.find(names, self.path):
            return
        path = self.library.find(names[:-1], self.path) if len(names) > 1 else None
        if path and self.library.symbol(path, names[-1])[0]:
            return
        symbol, owner = self.library.symbol(self.path, names[0])
        if symbol is None:
            # A package's constant or a parameter of an outer class.
            for length in range(len(self.path) - 1, 0, -1):
                if self.library.symbol(self.path[:length], names[0])[0]:
                    return
            self.refuse(names, "not declared")
            return
        for member in names[1:]:
            kind = parts(symbol.type)
            path = None if kind[0] in TYPES else self.library.find(kind, owner)
            symbol, owner = self.library.symbol(path, member) if path else (None, None)
            if symbol is None:
                self.refuse(names, f"{'.'.join(kind)} has no {member}")
                return

    def check_modifiers(self, modification, kind):
        """What modifies a type: its attributes or variables."""
        path = None if kind is None or kind[0] in TYPES else self.library.find(kind, self.path)
        for argument in modification.arguments if modification else ():
            element = argument.value
            if isinstance(element, ast.ElementModification):
                name = element.component.name
                is_known = name in ATTRIBUTES or (path and self.library.symbol(path, name)[0] is not None)
                if not is_known:
                    self.refuse([*(kind or ()), name], "no such modifier")
                for value in element.modifications:
                    self.visit(value)

    def visit(self, node):
        if isinstance(node, ast.ComponentRef):
            self.check(parts(node))
            while node:
                self.visit(node.indices)
                node = node.child[0] if node.child else None
        elif isinstance(node, (ast.Class, ast.Symbol)):
            return
        elif isinstance(node, ast.ClassModification):
            for argument in node.arguments:
                for value in getattr(argument.value, "modifications", ()):
                    self.visit(value)
        elif isinstance(node, dict):
            for value in node.values():
                self.visit(value)
        elif isinstance(node, (list, tuple, set)):
            for value in node:
                self.visit(value)
        elif isinstance(node, ast.Node):
            for name, value in vars(node).items():
                if name not in ("parent", "comment", "annotation"):
                    self.visit(value)

    def read(self):
        found = self.library.classes[self.path]
        if found.enumeration:
            return []
        for extends in found.extends:
            names = parts(extends.component)
            if names[0] not in TYPES and names != ["ExternalObject"]:
                self.check_class(names)
                self.check_modifiers(extends.class_modification, names)
        for symbol in found.symbols.values():
            kind = parts(symbol.type)
            self.check_class(kind)
            self.check_modifiers(symbol.class_modification, kind)
            self.visit(symbol.dimensions)
            for attribute in ATTRIBUTES:
                self.visit(getattr(symbol, attribute, None))
        for statements in (found.initial_equations, found.equations, found.initial_statements, found.statements):
            self.visit(statements)
        # pymoca drops conditions of components.
        conditions = re.findall(r"\) if ([^;\"]*)", declarations(self.text)) if len(self.path) == 2 else ()
        for condition in conditions:
            for names in re.findall(r"\b[A-Za-z_][\w.]*", condition):
                if names not in ("and", "or", "not", "then", "else", "true", "false"):
                    self.check(names.split("."))
        return self.wrong


def inside(found, path):
    """The classes in a class of this path, with itself."""
    yield path
    for name, nested in found.classes.items():
        yield from inside(nested, (*path, name))


def declarations(text):
    """The declarations of a model, without texts."""
    head = re.split(r"^(?:initial )?equation$", text, maxsplit=1, flags=re.M)[0]
    return re.sub(r'"(?:\\.|[^"\\])*"', '""', head)


def main(package, *files):
    count, library = 0, Library()
    library.add(parsed(os.path.join(HERE, "Modelica.mo")))
    for name in ("package", "Internal"):
        library.add(parsed(os.path.join(package, f"{name}.mo")))
    for file in files:
        with open(file, encoding="utf-8") as source:
            text = source.read()
        name, wrong = os.path.splitext(os.path.basename(file))[0], []
        for found in rumoca.validate_source(text):
            if "does not declare `pure` or `impure`" not in str(found):
                wrong.append(f"Rumoca: {found}")
        try:
            library.add(parsed(file))
        except pymoca.parser.ModelicaSyntaxError as error:
            wrong.append(f"pymoca: {error}")
        else:
            own = ("MechanicalFMUs", name)
            for path in inside(library.classes[own], own):
                wrong += Reader(library, path, text).read()
        print(f"{name}: {len(wrong)} wrong", *sorted(set(wrong)), sep="\n  ")
        count += len(wrong)
    return 1 if count or not files else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
