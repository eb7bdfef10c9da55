// Which caches contained commands have of their own.
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { beforeEach, expect, it, onTestFinished, vi } from "vitest";
import { ownCaches, useCache } from "../../../src/hosts/node/processes/view/caches.js";
import type { Fetches } from "../../../src/ports/effects.js";

function put(path: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, "");
}

let folder: string;
let home: string;
beforeEach(() => {
  const top = mkdtempSync(join(tmpdir(), "toolhost-caches-"));
  onTestFinished(() => {
    vi.unstubAllEnvs();
    rmSync(top, { recursive: true, force: true });
  });
  [folder, home] = [join(top, "workspace"), join(top, "home")];
  [folder, home].forEach((each) => mkdirSync(each));
  vi.stubEnv("HOME", home);
  vi.stubEnv("TOOLHOST_STATE", join(top, "state"));
});

const ALL = ["npm", "pypi", "crates", "go"];
const namesOf = (fetches?: Fetches): string[] => {
  const { ofFolders, ofHome } = ownCaches([folder], fetches);
  return [...ofFolders, ...ofHome].map(({ path }) => path.replace(`${folder}/`, ""));
};
const keptOf = (path: string): string =>
  ownCaches([folder], ALL).ofHome.find((cache) => cache.path === path)?.kept ?? "";

it.each([
  ["Cargo.toml", ".cargo/registry", "cache/mine/x.crate", "crates"],
  ["go.mod", "go/pkg/mod", "cache/download/example.com/x", "go"],
])("has of what %s names what was fetched last, in the sandbox or by the user", (file, path, fetched, registry) => {
  put(join(folder, file));
  expect(namesOf()).not.toContain(path);
  expect(namesOf([])).not.toContain(path);
  expect(namesOf([registry])).toContain(path);
  expect(namesOf(ALL.filter((each) => each !== registry))).not.toContain(path);
  put(join(keptOf(path), fetched));
  expect(namesOf()).toContain(path);
  put(join(home, path, fetched));
  // The time of change is the system's own.
  const [theirs, own] = [join(home, path, fetched), join(keptOf(path), fetched)].map(dirname);
  until(() => (utimesSync(theirs ?? "", 1, 1), namesOf().includes(path) === false));
  until(() => (utimesSync(own ?? "", 1, 1), namesOf().includes(path)));
});

it("has a virtual environment for a project of Python that has none, once something fetches", () => {
  put(join(folder, "pyproject.toml"));
  expect(namesOf()).toEqual([]);
  expect(namesOf([])).toEqual([".venv"]);
  put(join(folder, ".venv/pyvenv.cfg"));
  expect(namesOf([])).toEqual([]);
  expect(namesOf(["npm", "pypi"])).toEqual([".venv"]);
  expect(namesOf(["npm"])).toEqual([]);
});

it("has a place of its own for each folder, however long its name is", () => {
  const names = ["長い名前の".repeat(17), "長い名前は".repeat(17)];
  names.forEach((name) => put(join(folder, name, "package.json")));
  const places = ownCaches([folder], ALL).ofFolders.map(({ kept }) => useCache(kept));
  expect(new Set(places).size).toBe(names.length);
});

it("is not stopped by files where folders of packages are looked for, the user's or those that a command made", () => {
  put(join(folder, "pyproject.toml"));
  const [{ kept } = { kept: "" }] = ownCaches([folder], ALL).ofFolders;
  put(join(kept, "lib/a.so"));
  put(join(folder, ".venv/lib/a.so"));
  expect(namesOf([])).toEqual([]);
});

it("is not stopped by a file in the place of the user's packages", () => {
  put(join(folder, "Cargo.toml"));
  put(join(keptOf(".cargo/registry"), "cache/mine/x.crate"));
  put(join(home, ".cargo"));
  expect(namesOf()).toContain(".cargo/registry");
});

/** Repeats a step until the file system's clock has moved on. */
function until(isDone: () => boolean): void {
  expect(Array.from({ length: 1_000 }).some(() => isDone())).toBe(true);
}
