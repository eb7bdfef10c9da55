// What contained commands see of a home whose folders for packages are not as they mostly are.
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { tempFolder } from "../../../unit/tools/workspace.js";
import { missingSandbox } from "../processes/missingSandbox.js";
import { openRig } from "./rig.js";

const put = (path: string): void => {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, "theirs\n");
};
const link = (target: string, path: string): void => {
  mkdirSync(dirname(path), { recursive: true });
  symlinkSync(target, path);
};

/** What is in `~/.cargo`, and whether its packages are the sandbox's own. */
const LOOK = `import os
cargo = os.path.expanduser("~/.cargo")
own = os.path.join(cargo, "registry")
print(*sorted(os.listdir(cargo)), *["with", *os.listdir(own)])
os.makedirs(os.path.join(own, "cache/x"), exist_ok=True)
`;

describe.skipIf(missingSandbox() !== undefined)("a contained command that fetches packages", () => {
  test.each<[what: string, seen: string[], make: (home: string, elsewhere: string) => void]>([
    ["nothing", ["registry"], () => undefined],
    ["no packages yet", ["config.toml", "registry"], (home) => put(join(home, ".cargo/config.toml"))],
    ["packages", ["registry"], (home) => put(join(home, ".cargo/registry/a"))],
    ["a link that leads nowhere beside none", ["registry"], (home) => link("gone", join(home, ".cargo/old"))],
    ["a link that leads nowhere", ["registry"], (home) => link("gone", join(home, ".cargo/registry"))],
    [
      "packages behind a link",
      ["registry"],
      (home, elsewhere) => {
        put(join(elsewhere, "a"));
        link(elsewhere, join(home, ".cargo/registry"));
      },
    ],
    [
      "all of Cargo's behind a link",
      ["config.toml", "registry"],
      (home, elsewhere) => {
        put(join(elsewhere, "config.toml"));
        link(elsewhere, join(home, ".cargo"));
      },
    ],
    ["a file in the place of one", ["registry"], (home) => put(join(home, ".cargo"))],
    ["a file in the place of the packages", ["registry"], (home) => put(join(home, ".cargo/registry"))],
  ])("works in a home with %s", async (_what, seen, make) => {
    const [home, elsewhere] = [await tempFolder(), await tempFolder()];
    vi.stubEnv("HOME", home);
    onTestFinished(() => void vi.unstubAllEnvs());
    make(home, elsewhere);
    const rig = await openRig({ "Cargo.toml": "", "look.py": LOOK }, { hosts: ["crates"] });
    // The home has no Cargo.
    const told = await rig.told("cargo fetch; python3 look.py");
    expect(told).toMatch(/^\[Exit code 0/);
    expect(told).toContain(`\n${seen.join(" ")} with\n`);
    expect(told).toContain("~/.cargo/registry in the sandbox alone");
    const later = await openRig(rig.folder);
    expect(await later.told("python3 look.py")).toMatch(/^\[Exit code 0/);
  });
});
