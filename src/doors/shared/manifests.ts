// Workspace manifests, as a bundle of their own, which is loaded with the first one.
export { manifestTool, sourcesTool } from "../../tools/manifests/workspaceManifest.js";
export { checkManifest } from "../../tools/manifests/told.js";
export { parseManifest } from "../../features/manifests/manifest.js";
export { permissionRules } from "../../features/manifests/permissionRules.js";
export { applyForProgram } from "./manifestApi.js";
