// What knows of code by its syntax, as a bundle of its own, which is loaded with the first question.
export { followCode } from "../features/knowledge/followCode.js";
export { SyntaxCode } from "../features/code/syntaxCode.js";
export { WasmSyntax } from "../hosts/node/syntax/wasmSyntax.js";
