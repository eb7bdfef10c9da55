// Runs the tables of the file tools and of commands over each client of sandboxes, or those that are named: npm run clients -- ssh e2b
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";

const ALL = ["client", "worktree", "sandbox", "e2b", "ssh", "podman"];
const COMMANDS = ["exec", "process", "runTask"].map((name) => `test/system/tools/${name}.test.ts`);
const TOOLS = "test/unit/tools/";
const FILES = readdirSync(TOOLS)
  .filter((name) => name.endsWith(".test.ts") && readFileSync(TOOLS + name, "utf8").includes("each(hosts)"))
  .map((name) => TOOLS + name);
const given = process.argv.slice(2);
const unknown = given.find((name) => !ALL.includes(name));
if (unknown !== undefined) {
  console.error(`${unknown}: there is ${ALL.join(", ")}.`);
  process.exit(2);
}
const failed = (given.length > 0 ? given : ALL).filter((name) => {
  console.log(`\n${name}`);
  const env = { ...process.env, TOOLHOST_TEST_HOST: name };
  const runs = [
    ["--project", "unit", ...FILES, "-t", `on the ${name} host`],
    ["--project", "system", ...COMMANDS],
  ];
  const codes = runs.map((words) => {
    const all = ["vitest", "run", "--config", "test/vitest.config.mjs", ...words];
    return spawnSync("npx", all, { stdio: "inherit", env }).status;
  });
  return codes.some((code) => code !== 0);
});
if (failed.length > 0) {
  console.error(`Failed: ${failed.join(", ")}`);
  process.exitCode = 1;
}
