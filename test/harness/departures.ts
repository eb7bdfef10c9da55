// Runs before each file of tests whose tables run over a client of sandboxes: tests that `departures.ts` names are expected to fail
// there, or are not run if they would wait for ever. One that passes is an error, as is a name that no test has.
import { relative } from "node:path";
import { beforeEach, type RunnerTask } from "vitest";
import { departs, departuresOf } from "../unit/tools/departures.js";

const CLIENT = process.env["TOOLHOST_TEST_HOST"] ?? "";

beforeEach(({ task, skip }) => {
  const file = relative(`${import.meta.dirname}/..`, task.file.filepath);
  const departures = departuresOf(CLIENT, file);
  const all = namesOf(task.file.tasks);
  const unknown = departures
    .flatMap((each) => (each.tests === "all" ? [] : each.tests.map((name) => ({ ...each, tests: [name] }))))
    .filter((each) => !all.some((name) => departs(each, name)));
  if (unknown.length > 0) {
    throw new Error(
      `departures.ts names tests that ${file} does not have: ${unknown.flatMap(({ tests }) => tests).join("; ")}`,
    );
  }
  const departure = departures.find((each) => departs(each, nameOf(task)));
  if (departure?.waits) {
    skip(departure.why);
  } else if (departure !== undefined) {
    Object.assign(task, { fails: true });
  }
});

function namesOf(tasks: readonly RunnerTask[]): string[] {
  return tasks.flatMap((task) => ("tasks" in task ? namesOf(task.tasks) : [nameOf(task)]));
}

/** A test's name, with those of its suites but the one that names the host. */
function nameOf(task: RunnerTask): string {
  const names: string[] = [];
  for (let at: RunnerTask | undefined = task; at !== undefined; at = at.suite) {
    names.unshift(at.name);
  }
  return names.filter((name) => name !== `on the ${CLIENT} host`).join(" > ");
}
