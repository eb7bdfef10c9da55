// The languages whose grammars come along, and what declares a symbol in each: types of nodes in tree-sitter's grammars.

/** What a node declares. A type that is not listed declares nothing. */
type Declares = Readonly<Record<string, string>>;

export interface SyntaxLanguage {
  name: string;
  /** The file with its grammar, `tree-sitter-<grammar>.wasm`. */
  grammar: string;
  extensions: readonly string[];
  /** Kinds of symbols by the type of the node that declares one. */
  declares: Declares;
}

const SCRIPT: Declares = {
  class_declaration: "class",
  abstract_class_declaration: "class",
  interface_declaration: "interface",
  enum_declaration: "enum",
  enum_assignment: "enum member",
  type_alias_declaration: "type",
  internal_module: "namespace",
  module: "namespace",
  function_declaration: "function",
  generator_function_declaration: "function",
  function_signature: "function",
  method_definition: "method",
  method_signature: "method",
  abstract_method_signature: "method",
  public_field_definition: "property",
  field_definition: "property",
  property_signature: "property",
  required_parameter: "property",
  variable_declarator: "variable",
};

const script = (name: string, grammar: string, extensions: readonly string[]): SyntaxLanguage => ({
  ...{ name, grammar, extensions },
  declares: SCRIPT,
});

export const LANGUAGES: readonly SyntaxLanguage[] = [
  script("TypeScript", "typescript", ["ts", "mts", "cts"]),
  script("TypeScript", "tsx", ["tsx"]),
  script("JavaScript", "javascript", ["js", "mjs", "cjs", "jsx"]),
  {
    ...{ name: "Python", grammar: "python", extensions: ["py", "pyi"] },
    declares: { class_definition: "class", function_definition: "function", assignment: "variable" },
  },
  {
    ...{ name: "Go", grammar: "go", extensions: ["go"] },
    declares: {
      function_declaration: "function",
      method_declaration: "method",
      method_elem: "method",
      type_spec: "type",
      type_alias: "type",
      const_spec: "constant",
      var_spec: "variable",
      field_declaration: "field",
    },
  },
  {
    ...{ name: "Java", grammar: "java", extensions: ["java"] },
    declares: {
      class_declaration: "class",
      interface_declaration: "interface",
      enum_declaration: "enum",
      enum_constant: "enum member",
      record_declaration: "class",
      annotation_type_declaration: "interface",
      method_declaration: "method",
      constructor_declaration: "constructor",
      variable_declarator: "field",
    },
  },
  {
    ...{ name: "Rust", grammar: "rust", extensions: ["rs"] },
    declares: {
      function_item: "function",
      function_signature_item: "function",
      struct_item: "struct",
      enum_item: "enum",
      enum_variant: "enum member",
      union_item: "struct",
      trait_item: "interface",
      impl_item: "implementation",
      mod_item: "module",
      const_item: "constant",
      static_item: "variable",
      type_item: "type",
      macro_definition: "macro",
      field_declaration: "field",
    },
  },
  {
    ...{ name: "C#", grammar: "c-sharp", extensions: ["cs"] },
    declares: {
      class_declaration: "class",
      interface_declaration: "interface",
      struct_declaration: "struct",
      record_declaration: "class",
      enum_declaration: "enum",
      enum_member_declaration: "enum member",
      delegate_declaration: "type",
      method_declaration: "method",
      constructor_declaration: "constructor",
      property_declaration: "property",
      namespace_declaration: "namespace",
      variable_declarator: "field",
    },
  },
  {
    ...{ name: "C++", grammar: "cpp", extensions: ["cpp", "cc", "cxx", "c", "h", "hpp", "hh"] },
    declares: {
      function_definition: "function",
      class_specifier: "class",
      struct_specifier: "struct",
      union_specifier: "struct",
      enum_specifier: "enum",
      enumerator: "enum member",
      namespace_definition: "namespace",
      alias_declaration: "type",
      type_definition: "type",
      preproc_def: "macro",
      preproc_function_def: "macro",
    },
  },
  {
    ...{ name: "PHP", grammar: "php", extensions: ["php"] },
    declares: {
      class_declaration: "class",
      interface_declaration: "interface",
      trait_declaration: "class",
      enum_declaration: "enum",
      enum_case: "enum member",
      function_definition: "function",
      method_declaration: "method",
    },
  },
  {
    ...{ name: "Ruby", grammar: "ruby", extensions: ["rb", "rake"] },
    declares: { class: "class", module: "module", method: "method", singleton_method: "method" },
  },
];

/** Kinds inside of which variables are not symbols. */
export const FUNCTIONS: ReadonlySet<string> = new Set(["function", "method", "constructor"]);

/** Types of nodes that hold the names of what a class extends or implements. */
export const HERITAGE: ReadonlySet<string> = new Set([
  ...["class_heritage", "extends_type_clause", "superclass", "super_interfaces", "extends_interfaces"],
  ...["base_list", "base_class_clause", "base_clause", "class_interface_clause"],
]);

/** Types of nodes that call a function, or make an object. */
export const CALLS: ReadonlySet<string> = new Set([
  ...["call_expression", "new_expression", "call", "method_invocation", "object_creation_expression"],
  ...["invocation_expression", "member_call_expression", "function_call_expression", "scoped_call_expression"],
  ...["macro_invocation", "decorator"],
]);
