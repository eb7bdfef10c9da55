/** Names that stand for several hosts in the user's list: each for the hosts that a package manager asks by default. */
const REGISTRIES = {
  npm: ["registry.npmjs.org", "registry.yarnpkg.com"],
  pypi: ["pypi.org", "files.pythonhosted.org"],
  crates: ["crates.io", "index.crates.io", "static.crates.io"],
  go: ["proxy.golang.org", "sum.golang.org"],
  rubygems: ["rubygems.org", "index.rubygems.org"],
  maven: ["repo.maven.apache.org", "repo1.maven.org"],
  nuget: ["api.nuget.org"],
} as const;

/** A registry of packages. */
export type Registry = keyof typeof REGISTRIES;

/** The hosts that a registry's package manager must reach. */
export function hostsOf(registry: Registry): readonly string[] {
  return REGISTRIES[registry];
}

/** Returns the hosts of each preset, by its name. */
export function presets(): ReadonlyMap<string, readonly string[]> {
  return new Map<string, readonly string[]>([
    ["registries", Object.values(REGISTRIES).flat()],
    ...Object.entries(REGISTRIES),
  ]);
}
