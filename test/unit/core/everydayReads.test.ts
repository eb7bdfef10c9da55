import { describe, expect, test } from "vitest";
import { ASKS, EVERYDAY_FILES, READS } from "./everydayReads.js";
import { world } from "./permissionRig.js";

/** Those of `READS` that ask all the same, and why. */
const FALSE_ALARMS: Readonly<Record<string, string>> = {
  "git help log": "the configuration can name the program that shows it",
  "rg --hidden x": "it would print a secret",
  "grep -rn TODO .": "it would print a secret",
  "grep -r x . --exclude-dir=node_modules": "it would print a secret",
  "pip list": "Python runs code of a virtual environment in the workspace",
  "pip show requests": "Python runs code of a virtual environment in the workspace",
  "pip freeze": "Python runs code of a virtual environment in the workspace",
  "go doc fmt.Println": "go.mod may name another toolchain, which is downloaded",
  "rustup show": "rust-toolchain.toml may name another toolchain",
  "mvn -v": ".mvn/jvm.config may name code",
  "gradle --version": "gradle.properties may name code",
  "yarn --version": ".yarnrc.yml may name the yarn that runs",
  "npm run": "not told from `npm run x` yet",
  "npm config get registry": "an address may hold a password",
  "gofmt -l .": "not told from `gofmt -w` yet",
  "black --check .": "Python runs code of a virtual environment in the workspace",
};

const { explain } = world({ files: EVERYDAY_FILES });
const all = [...Object.values(READS).flat(), ...ASKS.map(([command]) => command)];

describe("364 everyday commands that look around", () => {
  test("are as many, and each is there once", () => {
    expect(new Set(all).size).toBe(364);
    expect(all).toHaveLength(364);
  });

  test("ask only where they should", async () => {
    const decided = await Promise.all(all.map(async (command) => ({ command, ...(await explain("exec", { command })) })));
    const asking = decided.filter(({ decision }) => decision !== "allow").map(({ command }) => command);
    expect(asking.toSorted()).toEqual([...Object.keys(FALSE_ALARMS), ...ASKS.map(([command]) => command)].toSorted());
  });
});
