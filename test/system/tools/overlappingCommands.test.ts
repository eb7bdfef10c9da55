// Commands that run at the same time and change the same files: whose change is it, and what does the undo of each do?
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { result } from "../../unit/tools/workspace.js";
import { gitProject, MODEL, put, type GitProject } from "./gitProject.js";

interface Told {
  text: string;
  shared: boolean | undefined;
}

/** A project in which commands are started in the background, each as a turn of its own, and go on when they are told. */
async function project() {
  const opened = await gitProject();
  const start = async (turn: string, command: string): Promise<{ go: () => Promise<Told> }> => {
    const caller = { ...MODEL, turn };
    const started = result<{ process_id?: string }>(
      await opened.call("exec", { command: `read; ${command}`, background: true }, caller),
    );
    const input = { action: "input", process_id: started.data.process_id, input: "\n", wait_for: "exit" };
    return {
      go: async () => {
        const { text, data } = result<{ process: { changed?: { shared?: boolean } } }>(
          await opened.call("process", input, caller),
        );
        return { text, shared: data.process.changed?.shared };
      },
    };
  };
  const now = async (turn: string, command: string): Promise<Told> => {
    const { text, data } = result<{ changed?: { shared?: boolean } }>(
      await opened.call("exec", { command }, { ...MODEL, turn }),
    );
    return { text, shared: data.changed?.shared };
  };
  const content = (path: string): string | undefined =>
    existsSync(join(opened.folder, path)) ? readFileSync(join(opened.folder, path), "utf8") : undefined;
  return { ...opened, start, now, content };
}

/** The files of each turn, as the journal lists them. */
async function listed({ changes }: GitProject): Promise<Record<string, string[]>> {
  const turns = (await changes.journal()).turns(5);
  return Object.fromEntries(turns.map(({ turn, files }) => [turn, files.map(({ path }) => path).toSorted()]));
}

const A = "src/a.ts";

describe.skipIf(process.platform === "win32")(
  "a command in the background that changes what the next one changes",
  () => {
    it("has its own lines, and each is undone alone", async () => {
      for (const only of ["background", "next"]) {
        const opened = await project();
        const { content, now, start, state, undoCalls: undo } = opened;
        const before = state();
        const { go } = await start("background", `echo six >> ${A}; rm notes.md`);
        expect((await now("next", `sed -i s/one/1/ ${A}; rm docs/guide.md`)).text).toContain(`M ${A} +1 −1`);
        const { text, shared } = await go();
        expect(text).toContain("D notes.md −1");
        expect(text).not.toContain("guide.md −1");
        expect(shared).toBe(true);
        expect(await listed(opened)).toEqual({ background: ["notes.md", A], next: ["docs/guide.md", A] });
        await undo(only, "u");
        expect(content(A)).toBe(
          only === "background" ? "1\ntwo\nthree\nfour\nfive\n" : "one\ntwo\nthree\nfour\nfive\nsix\n",
        );
        await undo(only === "background" ? "next" : "background", "v");
        expect(state()).toEqual(before);
      }
    });

    it("and then deletes it, brings back what the next one made of it, and before that what was there", async () => {
      const { content, now, start, state, undoCalls: undo } = await project();
      const before = state();
      const { go } = await start("background", "rm -rf src");
      await now("next", `sed -i s/one/1/ ${A}`);
      await go();
      await undo("background", "u");
      expect(content(A)).toBe("1\ntwo\nthree\nfour\nfive\n");
      await undo("next", "v");
      expect(state()).toEqual(before);
    });

    it("is taken back with it where both are of one turn, and the user's lines stay", async () => {
      const { content, folder, now, start, state, undoCalls: undo } = await project();
      const before = state();
      const { go } = await start("t", `sed -i s/three/3/ ${A}; mv notes.md moved.md`);
      await now("t", `sed -i s/one/1/ ${A}; echo made > made.txt; cp ${A} docs/guide.md`);
      await go();
      put(folder, A, `${content(A)}mine\n`);
      await undo("t", "u");
      expect(content(A)).toBe("one\ntwo\nthree\nfour\nfive\nmine\n");
      put(folder, A, "one\ntwo\nthree\nfour\nfive\n");
      expect(state()).toEqual(before);
    });

    it("that ends after three others is told apart from each of them", async () => {
      const opened = await project();
      const { now, start, state, undoCalls: undo } = opened;
      const before = state();
      const { go } = await start("0", "rm -rf dist src/deep; echo 0 > made-0");
      await now("1", "echo 1 > made-1; rm logo.png");
      await now("2", "echo 2 >> made-1; chmod 600 bin/run.sh");
      await now("3", "git stash -q; mv bin tools");
      await go();
      const files = await listed(opened);
      expect(files["1"]).toEqual(["logo.png", "made-1"]);
      expect(files["0"]).toEqual(expect.arrayContaining(["made-0"]));
      for (const turn of ["0", "3", "2", "1"]) {
        await undo(turn, `u${turn}`);
      }
      expect(state()).toEqual(before);
    });
  },
);
