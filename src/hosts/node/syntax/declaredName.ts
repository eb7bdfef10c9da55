import type { Node } from "web-tree-sitter";

/** Levels of a declarator that are looked through: pointers, references, parameters. */
const MAX_DECLARATORS = 10;

/** The name in a declaration, and the name before it, if it says itself what it is a member of. */
interface DeclaredName {
  name: Node;
  container?: Node;
}

/** Returns the name that a node declares; undefined if it is a pattern, a use or has no name. */
export function declaredName(node: Node, parent: string | undefined): DeclaredName | undefined {
  switch (node.type) {
    case "property_identifier":
      return { name: node };
    case "assignment":
      return plain(node.childForFieldName("left"));
    case "required_parameter":
      // A parameter of a constructor that is a property, too.
      return node.namedChildren.some((child) => child?.type === "accessibility_modifier")
        ? plain(node.childForFieldName("pattern"))
        : undefined;
    case "variable_declarator":
      // Java and C# declare fields and local variables with it.
      return parent === "local_variable_declaration" || isLocalOfCSharp(node)
        ? undefined
        : plain(node.childForFieldName("name") ?? node.firstNamedChild);
    case "impl_item": {
      const type = node.childForFieldName("type");
      return plain(type?.type === "generic_type" ? type.childForFieldName("type") : type);
    }
    case "method_declaration":
      return withContainer(node.childForFieldName("name"), receiverOf(node));
    case "function_definition":
    case "type_definition":
      return plain(node.childForFieldName("name")) ?? declarator(node);
    case "class_specifier":
    case "struct_specifier":
    case "union_specifier":
    case "enum_specifier":
      return node.childForFieldName("body") === null ? undefined : plain(node.childForFieldName("name"));
    case "field_definition":
      return plain(node.childForFieldName("property"));
    default:
      return plain(node.childForFieldName("name"));
  }
}

/** Returns the other names that a node declares: `var a, b = 1, 2` in Go. */
export function namesBeside(node: Node, name: Node): Node[] {
  if (!/^(?:const_spec|var_spec|field_declaration)$/.test(node.type)) {
    return [];
  }
  return node
    .childrenForFieldName("name")
    .filter((each) => each.startIndex !== name.startIndex && plain(each) !== undefined);
}

function isLocalOfCSharp(node: Node): boolean {
  return node.parent?.type === "variable_declaration" && node.parent.parent?.type === "local_declaration_statement";
}

/** Returns the type of a method's receiver in Go. */
function receiverOf(node: Node): Node | undefined {
  const type = node.childForFieldName("receiver")?.descendantsOfType("type_identifier")[0];
  return type ?? undefined;
}

/** Returns the name in a declarator of C++: `*Router::match(…)`. */
function declarator(node: Node): DeclaredName | undefined {
  let inner = node.childForFieldName("declarator");
  for (let left = MAX_DECLARATORS; left > 0 && inner !== null; left--) {
    if (inner.type === "qualified_identifier") {
      return withContainer(inner.childForFieldName("name"), inner.childForFieldName("scope") ?? undefined);
    }
    const next: Node | null = inner.childForFieldName("declarator");
    if (next === null) {
      return plain(inner);
    }
    inner = next;
  }
  return undefined;
}

function withContainer(name: Node | null, container: Node | undefined): DeclaredName | undefined {
  const found = plain(name);
  return found && { ...found, ...(container && { container }) };
}

/** Takes a name alone, not a pattern or an expression. */
function plain(name: Node | null | undefined): DeclaredName | undefined {
  return name !== null &&
    name !== undefined &&
    /identifier$|^(?:name|constant|scope_resolution|string|operator|setter|operator_name|destructor_name)$/.test(
      name.type,
    )
    ? { name }
    : undefined;
}
