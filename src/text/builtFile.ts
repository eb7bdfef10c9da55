/**
 * Whether a file is likely written by a build, by its path. Some projects have sources in such folders, so this decides
 * on what comes first, not on what is there.
 */
export function isBuilt(path: string): boolean {
  return /(?:^|\/)(?:dist|build|out|bundles)\/|\.(?:min|umd)\.[cm]?js$/i.test(path);
}
