// What the tools for code do, as a bundle of its own, which is loaded with the first call.
export { linesOfSymbol, outlineOf } from "./work/readSymbols.js";
export { actionWrites, listOrApply, previewAction } from "./work/actions.js";
export { applySymbolEdit, previewSymbolEdit } from "./work/editDeclaration.js";
export { findReferences } from "./work/findReferences.js";
export { listProblems } from "./work/listProblems.js";
export { listSymbols } from "./work/listSymbols.js";
export { searchCode } from "./work/searchCode.js";
export { previewRename, rename, renameWrites } from "./work/rename.js";
