import { expect, test } from "vitest";
import { contentOf, tempFolder } from "../../unit/tools/workspace.js";
import { builtCli } from "./built.js";

const cli = builtCli();

test("a person's own cron: added is approved, listed with its expression, zone and next times, and removed", async () => {
  const cwd = await tempFolder();
  const run = async (...args: string[]): Promise<string> => {
    const { code, out, err } = await cli.run(args, { cwd, env: { ...process.env, TZ: "Europe/Berlin" } });
    return code === 0 ? out : `${code}: ${err}`;
  };
  expect(await run("cron", "list")).toBe("There are no schedules. New ones use the time zone Europe/Berlin.\n");
  expect(await run("cron", "add", "--schedule", "0 9 * * 1-5", "--prompt", "What is new?", "--id", "Morning")).toMatch(
    /^Added the schedule morning: 0 9 \* \* 1-5 \(Europe\/Berlin; next: \w{3}, \d+ \w+ \d{4}, 09:00 UTC\+[12]; .*\)\.\n$/,
  );
  expect(await contentOf(cwd, ".toolhost/schedules/morning.md")).toMatch(
    /^---\nid: morning\nschedule: 0 9 \* \* 1-5\ntime_zone: Europe\/Berlin\nenabled: true\n[^]*\n---\n\nWhat is new\?\n$/,
  );
  // Another process knows it, and that it was approved.
  expect(JSON.parse(await run("cron", "list", "--json"))).toMatchObject({
    ok: true,
    data: { schedules: [{ id: "morning", schedule: "0 9 * * 1-5", time_zone: "Europe/Berlin", state: "on" }] },
  });
  expect(await run("cron", "add", "--schedule", "0 9 * *", "--prompt", "x")).toMatch(
    /^1: Error \(invalid_input\): cron: schedule: the expression has 4 fields; it needs 5/,
  );
  expect(await run("cron", "remove", "--id", "mornin")).toMatch(
    /there is no schedule mornin\. Nothing was removed\.\nHint: Did you mean morning\?/,
  );
  expect(await run("cron", "remove", "--id", "morning")).toMatch(
    /^Removed the schedule morning\. It was 0 9 \* \* 1-5 /,
  );
  // Undone, its file is back, and inert: the yes went with it.
  expect(await run("undo")).toContain(".toolhost/schedules/morning.md");
  expect(await run("cron", "list")).toContain("[does nothing until the user approves it]");
});
