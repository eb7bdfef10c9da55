// What asks the window's language servers, as a bundle of its own, which is loaded with the first question.
export { serverOrSyntax } from "../../features/code/serverOrSyntax.js";
export { Languages } from "../../hosts/vscode/code/languages.js";
export { VscodeLanguageServers } from "../../hosts/vscode/code/languageServers.js";
export { ServerCode } from "../../hosts/vscode/code/serverCode.js";
export { checkTypescript } from "../../hosts/vscode/code/typescriptCheck.js";
export { UnreadProjects } from "../../hosts/vscode/code/unreadProjects.js";
