// What the tools tell of code, by the real TypeScript server, on a real project of 553 files.
import assert from "node:assert/strict";
import type { ToolhostApi } from "../../../src/doors/api/types";
import { answeredPlaces, isRight, navigationTasks, questions, tokensOf } from "../../harness/codeQuestions";
import { activateProduct } from "../../harness/host";
import { toolText } from "../tool";

describe("code by the TypeScript server", () => {
  it("waits for a cold server to read the whole project", async () => {
    const text = await toolText("references", { symbol: "Emitter", path: "src/common/event.ts", line: 236, limit: 1 });
    assert.match(text, /^299 references of Emitter \(src\/common\/event\.ts:236\) in 96 files:/);
  });

  it("answers 40 questions as the compiler does, each in one call", async () => {
    const { invoke } = await activateProduct<ToolhostApi>();
    const wrong: string[] = [];
    for (const question of questions) {
      const outcome = await invoke(question.tool, { ...question.input, limit: 1_000 });
      const places = outcome.ok ? answeredPlaces(outcome.data) : [];
      if (!isRight(question, places)) {
        wrong.push(
          `${JSON.stringify(question.input)}\n  expected ${question.expected.join(" ")}\n  got ${outcome.ok ? places.join(" ") : outcome.error.message}`,
        );
      }
    }
    // The answers that docs/benchmarks.md gives by syntax, too.
    assert.equal(questions.length, 40);
    assert.deepEqual(wrong, []);
  });

  it("takes at most half the tokens of grep and read for ten tasks", async () => {
    const { invoke } = await activateProduct<ToolhostApi>();
    let [ours, theirs] = [0, 0];
    for (const task of navigationTasks) {
      ours += await tokensOf(task.ours, invoke);
      theirs += await tokensOf(task.theirs, invoke);
    }
    assert.equal(navigationTasks.length, 10);
    assert.ok(ours <= theirs / 2, `${ours} of ${theirs} tokens`);
  });
});
