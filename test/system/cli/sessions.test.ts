import { expect, it } from "vitest";
import { WorkspaceStates } from "../../../src/hosts/node/state/workspaceState.js";
import { call, model, result, start, user } from "../../unit/features/sessions/rig.js";
import { tempFolder } from "../../unit/tools/workspace.js";
import { builtCli } from "./built.js";

const cli = builtCli();
const ID = "aaaaaa11-1111-4111-8111-111111111111";

it("lists the sessions that windows of this workspace had, and tells one by the beginning of its id", async () => {
  const folder = await tempFolder();
  const run = (...words: string[]) => cli.run(["--workspace", folder, ...words]);
  expect(await run("sessions", "list")).toMatchObject({ code: 0, out: "No sessions yet in this workspace.\n" });
  const states = new WorkspaceStates({
    folders: () => [folder],
    look: () => Promise.resolve(undefined),
    foldCase: false,
    onNotice: () => undefined,
    onRecovered: () => undefined,
  });
  const { sessions } = await states.current();
  await sessions.beginTurn(start(ID, "t1", { title: "Fix the test" }));
  for (const message of [user("Fix the test"), model("I look.", call("1")), user(result("1", "it fails"))]) {
    await sessions.append(ID, "t1", message);
  }
  const list = await run("sessions", "list", "--limit", "5");
  expect(list.out).toContain(
    `1 of 1 sessions, most recently used first.\n${ID}  active  chat  "Fix the test"  (2 messages, `,
  );
  await sessions.endTurn(ID, "t1");
  states.close();
  const history = await run("sessions", "history", ID.slice(0, 6), "--limit", "2");
  expect(history).toMatchObject({ code: 0, err: "" });
  expect(history.out).toMatch(
    /\[1 earlier: .*\]\n\n#2 .* assistant:\nI look\.\n→ read \{"path":"1"\}\n\n#3 .* results:\n← it fails\n$/,
  );
  expect(await run("sessions", "send", ID.slice(0, 8), "See the log")).toMatchObject({
    code: 0,
    out: expect.stringContaining("It is not active") as string,
  });
  const status = JSON.parse((await run("sessions", "status", ID, "--json")).out) as { data: object };
  expect(status.data).toMatchObject({ id: ID, state: "idle", messages: 2 });
  const unknown = await run("sessions", "history", "nothing");
  expect(unknown.code).toBe(1);
  expect(unknown.err).toContain('"nothing": there is no such session in this workspace.');
  expect((await run("sessions", "--help")).out).not.toContain("spawn");
  const spawn = await run("run", "sessions_spawn", "--input", '{"prompt":"x"}');
  expect(spawn.code).not.toBe(0);
  expect(spawn.err).toContain("toolhost agent and VS Code have sessions_spawn.");
});
