import { expect, onTestFinished, test } from "vitest";
import { Scheduler } from "../../../src/agent/work/scheduler.js";
import type { WorkHost } from "../../../src/agent/work/workHost.js";
import { lookAt } from "../../../src/features/changes/journal/look.js";
import { WorkspaceStates } from "../../../src/hosts/node/state/workspaceState.js";
import type { ApprovedDocuments } from "../../../src/ports/approvals.js";
import { text } from "../agent/rig.js";
import { result } from "../tools/workspace.js";
import { workRig, type WorkRig } from "./rig.js";

const MINUTE = 60_000;
const PROMPT = "Summarize *what* changed.\n\n- Be short.";

interface Listed {
  schedules: { id: string; schedule: string; next: string[]; state: string }[];
}

/** A window of the rig that looks at its schedules when it is told to. */
function windowOf(
  rig: WorkRig,
  more: Partial<WorkHost> = {},
): { told: string[]; lookAt: (now: number) => Promise<void> } {
  const told: string[] = [];
  const scheduler = new Scheduler({
    ...rig.host(1),
    tell: (message) => told.push(message),
    onChange: () => undefined,
    ...more,
  });
  const lookAt = async (now: number): Promise<void> => {
    rig.clock.now = now;
    await scheduler.tick(new AbortController().signal);
    await scheduler.settled();
  };
  return { told, lookAt };
}

/** What models were asked last, in each request, and by whom. */
const asked = (rig: WorkRig): string[] =>
  rig.requests.map(
    ({ messages }) =>
      `${messages.at(-1)?.role}: ${messages
        .at(-1)
        ?.content.map((part) => (part.type === "text" ? part.text : part.type))
        .join("")}`,
  );

const cron = async (rig: WorkRig, input: object): Promise<Listed["schedules"]> =>
  result<Listed>(await rig.workspace.call("cron", input, { as: "model", answer: true })).data.schedules;

test("what cron added is said when it is due, exactly, as the user's words, in one session; what it removed is not", async () => {
  const rig = await workRig({}, () => [text("Nothing changed.")]);
  const window = windowOf(rig);
  const [added] = await cron(rig, { action: "add", schedule: "30 14 * * *", prompt: PROMPT, id: "daily" });
  expect(await cron(rig, { action: "list" })).toEqual([added]);
  expect(added).toMatchObject({ id: "daily", schedule: "30 14 * * *", state: "on" });
  const due = (added?.next ?? []).map((at) => Date.parse(at));
  await window.lookAt((due[0] ?? 0) - 1);
  expect(asked(rig)).toEqual([]);
  await window.lookAt(due[0] ?? 0);
  await window.lookAt((due[0] ?? 0) + MINUTE);
  expect(asked(rig)).toEqual([`user: ${PROMPT}`]);
  await window.lookAt(due[1] ?? 0);
  expect(asked(rig)).toEqual([`user: ${PROMPT}`, `user: ${PROMPT}`]);
  expect((await rig.log.list(10)).sessions).toMatchObject([{ kind: "schedule", title: "daily", messages: 4 }]);
  await cron(rig, { action: "remove", id: "daily" });
  expect(await cron(rig, { action: "list" })).toEqual([]);
  await window.lookAt(due[2] ?? 0);
  expect([rig.requests.length, window.told]).toEqual([2, []]);
});

/** What is kept on disk, as VS Code and the command line open it; `reopen` is another window. */
function keptState(rig: () => WorkRig): {
  states: () => WorkspaceStates;
  reopen: () => void;
  approvals: ApprovedDocuments;
} {
  const open = (): WorkspaceStates =>
    new WorkspaceStates({
      folders: () => [rig().workspace.folder],
      look: (key) => lookAt(rig().workspace.files, key),
      foldCase: false,
      onNotice: () => undefined,
      onRecovered: () => undefined,
    });
  let states = open();
  onTestFinished(() => states.close());
  const approvals: ApprovedDocuments = {
    byOwner: false,
    isApproved: (document, said) => states.approvals(false).isApproved(document, said),
    approve: (document, said) => states.approvals(false).approve(document, said),
    revoke: (document) => states.approvals(false).revoke(document),
  };
  return {
    approvals,
    states: () => states,
    reopen: () => {
      states.close();
      states = open();
    },
  };
}

test("a schedule outlives its window: it stays approved, its times go on, and its session", async () => {
  const kept = keptState(() => rig);
  const rig: WorkRig = await workRig({}, () => [text("Nothing changed.")], {
    capabilities: { approvals: kept.approvals },
  });
  const open = (): ReturnType<typeof windowOf> => windowOf(rig, { work: () => kept.states().work() });
  rig.clock.now = Date.now();
  // In half an hour, so that no minute ends between two looks at the clock.
  const minute = new Date(rig.clock.now + 30 * MINUTE).getMinutes();
  const [added] = await cron(rig, { action: "add", schedule: `${minute} * * * *`, prompt: PROMPT, id: "hourly" });
  const first = Date.parse(added?.next[0] ?? "");
  await open().lookAt(first);
  expect(rig.requests).toHaveLength(1);

  kept.reopen();
  const again = open();
  expect(await cron(rig, { action: "list" })).toMatchObject([
    { id: "hourly", schedule: `${minute} * * * *`, state: "on" },
  ]);
  await again.lookAt(first + MINUTE);
  expect(rig.requests).toHaveLength(1);
  await again.lookAt(first + 60 * MINUTE);
  expect(rig.requests).toHaveLength(2);
  expect((await rig.log.list(10)).sessions).toMatchObject([{ title: "hourly", messages: 4 }]);

  // Closed for some hours: those are told, and not made up for.
  kept.reopen();
  const late = open();
  await late.lookAt(first + 4 * 60 * MINUTE + 30 * MINUTE);
  expect([rig.requests.length, late.told]).toEqual([
    2,
    [expect.stringMatching(/^Schedules were due while Toolhost was not running here; .*: hourly \(3, /) as string],
  ]);
});

test.each([
  ["switched off", "---\nenabled: false\nschedule: '* * * * *'\n---\nLook.\n"],
  ["changed, which nobody approved", "---\nschedule: '* * * * *'\n---\nLook elsewhere.\n"],
])(
  "what a schedule left out while it was %s is neither told nor made up for when it is as before",
  async (_what, off) => {
    const path = ".toolhost/schedules/a.md";
    const on = "---\nschedule: '* * * * *'\n---\nLook.\n";
    const rig = await workRig({ [path]: on }, () => [text("Nothing.")]);
    await rig.approvals.approve(path, on);
    const start = rig.clock.now;
    const window = windowOf(rig);
    await window.lookAt(start);
    await window.lookAt(start + MINUTE);
    expect(rig.requests).toHaveLength(1);
    await rig.workspace.put(path, off);
    for (let minute = 2; minute < 30; minute++) {
      await window.lookAt(start + minute * MINUTE);
    }
    // Back to just what was approved.
    await rig.workspace.put(path, on);
    await window.lookAt(start + 30 * MINUTE + 5_000);
    expect([rig.requests.length, window.told]).toEqual([1, []]);
    await window.lookAt(start + 31 * MINUTE);
    expect([rig.requests.length, window.told]).toEqual([2, []]);
  },
);
