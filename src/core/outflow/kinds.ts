// What kind of text a result is.
import type { Tool, Touch } from "../contract.js";
import type { SeenText } from "./seenTexts.js";

function groupOf(tool: Tool): string {
  return (tool.usedTool ?? tool).group;
}

/** Whether a result may have anything that only this machine knows: one that only says what was changed has not. */
export function mayBePrivate({ tool, named }: SeenText): boolean {
  return named === undefined || named.length === 0
    ? tool.annotations.readOnly && groupOf(tool) !== "tools"
    : named.some(({ kind }) => kind !== "write" && kind !== "message");
}

/** Files that others publish, or that name what others publish. */
const PUBLIC_FILE =
  /(?:^|[\\/])(?:node_modules|site-packages|vendor|\.cargo[\\/]registry)[\\/]|(?:^|[\\/])(?:package(?:-lock)?\.json|npm-shrinkwrap\.json|pnpm-lock\.yaml|yarn\.lock|requirements[\w.-]*\.txt|poetry\.lock|uv\.lock|pipfile(?:\.lock)?|cargo\.(?:toml|lock)|go\.(?:mod|sum)|gemfile(?:\.lock)?|composer\.(?:json|lock)|license(?:\.\w+)?|copying)$/i;

/** Whether a result says only what others publish, so that it may go anywhere. */
export function isPublic({ tool, named = [] }: SeenText): boolean {
  return groupOf(tool) === "web" || (named.length > 0 && named.every(isPublicFile));
}

function isPublicFile(touch: Touch): boolean {
  return touch.kind === "read" && PUBLIC_FILE.test(touch.path);
}
