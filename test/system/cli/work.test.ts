import { describe, expect, test } from "vitest";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { poll } from "../../harness/poll.js";
import { finish } from "./built.js";
import { agentRig, calls, results, told } from "./agentRig.js";

const rig = agentRig();
const task = (title: string, fields = ""): string => `---\ntitle: ${title}\n${fields}---\nDo it.\n`;
const env = (): NodeJS.ProcessEnv => ({
  ...process.env,
  OPENAI_BASE_URL: rig.server().baseUrl,
  OPENAI_API_KEY: "",
  OPENAI_MODEL: "test-model",
});
const statusOf = (folder: string, name: string): string =>
  /^status: (\w+)/m.exec(readFileSync(join(folder, ".toolhost/tasks", `${name}.md`), "utf8"))?.[1] ?? "pending";

describe("toolhost work", () => {
  test("does the next task and says what came of it", async () => {
    const { folder, run } = await rig.inFolder({ ".toolhost/tasks/a.md": task("A") });
    rig.server().script(calls(["complete_task", { summary: "All done." }]));
    const { code, out, err } = await run("work", "--once");
    expect([code, out]).toEqual([0, "task a: complete: All done.\n"]);
    expect(err).toContain("[task a] starts: A");
    expect(statusOf(folder, "a")).toBe("complete");
    expect(await run("work", "--once")).toMatchObject({ code: 0, out: "" });
  });

  test("exits with 1 when it failed, and asks nobody: what would be asked is denied", async () => {
    const { run } = await rig.inFolder({ ".toolhost/tasks/a.md": task("A") });
    rig.server().script(calls(["exec", { command: "touch x" }]), calls(["fail_task", { reason: "Not allowed." }]));
    expect(await run("work", "--once", "--json")).toMatchObject({ code: 1, err: "" });
    expect(results(rig.server().chats().at(-1)?.body)[0]).toContain("denied");
  });

  test("goes on with a task that waits once a message was sent to its session", async () => {
    const { folder, run } = await rig.inFolder({ ".toolhost/tasks/a.md": task("A") });
    rig.server().script(calls(["wait_task", { reason: "Which branch?" }]));
    const { out } = await run("work", "--once");
    const session = /toolhost sessions send ([\da-f-]{36})/.exec(out)?.[1] ?? "";
    expect(await run("sessions", "send", session, "Use main.")).toMatchObject({ code: 0 });
    rig.server().script(calls(["complete_task", { summary: "On main." }]));
    expect(await run("work", "--once")).toMatchObject({ code: 0, out: "task a: complete: On main.\n" });
    expect(told(rig.server().chats()[0]?.body).join("\n")).toContain("Use main.");
    expect(statusOf(folder, "a")).toBe("complete");
  });

  test("16 of them on 16 tasks do each once, and end in order when they are told to", async () => {
    const names = Array.from({ length: 16 }, (_, index) => `t${String(index).padStart(2, "0")}`);
    const { folder } = await rig.inFolder(
      Object.fromEntries(names.map((name) => [`.toolhost/tasks/${name}.md`, task(name)])),
    );
    // No answer before each of them is at work, so that all are told to stop while they wait for more or have just come
    // to the end of a task.
    rig.server().script(
      ...names.map((name) => ({
        ...calls(["complete_task", { summary: `done ${name}` }]),
        when: `Task ${name}:`,
        untilChats: 16,
      })),
    );
    const workers = names.map(() =>
      rig.cli.start(["work", "--tasks-only"], { cwd: folder, env: env(), stdio: ["ignore", "pipe", "pipe"] }),
    );
    const ended = workers.map((worker) => finish(worker));
    await poll("all tasks to be complete", () => names.every((name) => statusOf(folder, name) === "complete"));
    workers.forEach((worker) => worker.kill("SIGINT"));
    const outcomes = await Promise.all(ended);
    expect(outcomes.map(({ code }) => code)).toEqual(names.map(() => 0));
    expect(
      outcomes
        .flatMap(({ out }) =>
          out
            .trim()
            .split("\n")
            .filter((line) => line !== ""),
        )
        .sort(),
    ).toEqual(names.map((name) => `task ${name}: complete: done ${name}`));
    expect(rig.server().chats()).toHaveLength(16);
  });

  test.each(["when it is taken", "in the middle of the work", "when its end is said"])(
    "takes a task again whose worker was killed %s",
    async (when) => {
      const { folder, run } = await rig.inFolder({ ".toolhost/tasks/a.md": task("A"), "file.txt": "x\n" });
      const steps =
        {
          "when it is taken": [{ hang: true as const }],
          "in the middle of the work": [calls(["read", { path: "file.txt" }]), { hang: true as const }],
          "when its end is said": [{ text: "I am done.", hang: true as const }],
        }[when] ?? [];
      rig.server().script(...steps);
      const worker = rig.cli.start(["work", "--once", "--tasks-only"], { cwd: folder, env: env(), stdio: "ignore" });
      const ended = finish(worker);
      await poll("the model to be asked", () => rig.server().chats().length === steps.length);
      expect(statusOf(folder, "a")).toBe("in_progress");
      worker.kill("SIGKILL");
      await ended;
      rig.server().script(calls(["complete_task", { summary: "Again." }]));
      const again = await run("work", "--once");
      expect(again).toMatchObject({ code: 0, out: "task a: complete: Again.\n" });
      expect(again.err).toContain("its previous worker is gone");
    },
  );

  test("stopped in the middle gives its task back, and exits with 130", async () => {
    const { folder } = await rig.inFolder({ ".toolhost/tasks/a.md": task("A") });
    rig.server().script({ hang: true });
    const worker = rig.cli.start(["work"], { cwd: folder, env: env(), stdio: ["ignore", "pipe", "pipe"] });
    const ended = finish(worker);
    await poll("the model to be asked", () => rig.server().chats().length === 1);
    worker.kill("SIGINT");
    expect(await ended).toMatchObject({ code: 130, out: "task a: released: It was stopped and is pending again.\n" });
    expect(statusOf(folder, "a")).toBe("pending");
  });

  test("leaves a schedule of the repository alone until it is approved, shown whole", async () => {
    const { run } = await rig.inFolder({
      ".toolhost/schedules/s.md": '---\nschedule: "* * * * *"\ntime_zone: UTC\n---\nSay \u202ehello.\n',
    });
    rig.server().script({ text: "x" });
    expect((await run("work", "--once")).err).toContain(
      "The schedule s does nothing until you approve it: toolhost work --approve s",
    );
    const { code, out } = await run("work", "--approve", "s");
    expect([code, out]).toEqual([0, expect.stringContaining("Say \\u202ehello.") as string]);
    expect((await run("cron", "list")).out).toContain("s  * * * * *  (UTC; next: ");
    expect((await run("cron", "list")).out).not.toContain("does nothing");
    expect(await run("work", "--approve", "t")).toMatchObject({
      code: 1,
      err: expect.stringContaining("schedule t: there is no schedule with this name") as string,
    });
  });

  test("shows names of files so that they command neither the terminal nor a shell", async () => {
    const { run } = await rig.inFolder({
      ".toolhost/schedules/x; touch evil #.md": '---\nschedule: "* * * * *"\n---\nhi\n',
      ".toolhost/tasks/a\u001b[2Jb.md": task("A"),
    });
    rig.server().script(calls(["complete_task", { summary: "Done." }]));
    const { out, err } = await run("work", "--once");
    expect(out).toBe("task a\\u001b[2Jb: complete: Done.\n");
    expect(err).toContain("toolhost work --approve 'x; touch evil #'\n");
    expect(err).toContain("[task a\\u001b[2Jb] starts: A");
  });

  test("says what is wrong with its flags, and when there is no model", async () => {
    const { run, folder } = await rig.inFolder();
    expect(await run("work", "--tasks-only", "--schedules-only")).toMatchObject({ code: 2 });
    expect(await run("work", "--allow", "nonsense(")).toMatchObject({ code: 2 });
    expect(
      await rig.cli.run(["work", "--once"], {
        cwd: folder,
        env: { ...process.env, OPENAI_BASE_URL: "", OPENAI_MODEL: "" },
      }),
    ).toMatchObject({ code: 1, err: expect.stringContaining("OPENAI_BASE_URL") as string });
  });
});
