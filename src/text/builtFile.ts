/**
 * Whether a file is likely written by a build, by its path. Some projects have sources in such folders, so this decides
 * on what comes first, not on what is there.
 */
export function isBuilt(path: string): boolean {
  return /(?:^|\/)(?:dist|build|out|bundles)\/|\.(?:min|umd)\.[cm]?js$/i.test(path);
}

/** Folders that only programs write, whatever a project is. */
const ALWAYS_OUTPUT = new Set(["dist", "coverage", "node_modules", "__pycache__"]);
/** Folders that mostly only programs write, if they are ignored. */
const OUTPUT = new Set([
  ...ALWAYS_OUTPUT,
  ...["build", "out", "target", "bin", "obj", "lib", "bundles", "tmp", "vendor", ".next", ".nuxt", ".svelte-kit"],
  ...[".cache", ".turbo", ".parcel-cache", ".pytest_cache", ".mypy_cache", ".venv", "venv"],
]);

/** Whether a file is in a folder of a program's output, which nobody writes by hand. @param isIgnored whether the folder is */
export function isOutput(path: string, isIgnored: boolean): boolean {
  const names = isIgnored ? OUTPUT : ALWAYS_OUTPUT;
  return path
    .split("/")
    .slice(0, -1)
    .some((name) => names.has(name));
}
