import { describe, expect, test } from "vitest";
import { runTurn, type CallResult, type LoopOptions, type ToolCall } from "../../../src/agent/loop.js";
import { ModelError } from "../../../src/core/modelError.js";
import type { ChatModel, ModelEvent, ModelMessage, ModelTool } from "../../../src/ports/models.js";

/** What the model says in answer to one request; an error breaks off there. */
type Script = readonly (ModelEvent | Error)[];

const text = (said: string): ModelEvent => ({ type: "text", text: said });
const call = (id: string, name: string, input: object = {}): ModelEvent => ({ type: "call", id, name, input });

const TOOLS: ModelTool[] = ["read", "edit"].map((name) => ({ name, description: name, inputSchema: { type: "object" } }));
const QUESTION: ModelMessage = { role: "user", content: [{ type: "text", text: "Why?" }] };

interface Run {
  /** What each request held: the messages and the names of the tools. */
  requests: { messages: ModelMessage[]; tools: string[] }[];
  texts: string[];
  options: LoopOptions;
}

/** A turn with a model that answers by script, its last answer again when asked further. */
function turn(scripts: readonly Script[], more: Partial<LoopOptions> = {}): Run {
  const requests: Run["requests"] = [];
  const texts: string[] = [];
  const model: ChatModel = {
    id: "test/scripted",
    name: "scripted",
    maxInputTokens: undefined,
    seesImages: false,
    async *send({ messages, tools }) {
      requests.push({ messages: structuredClone([...messages]), tools: tools.map(({ name }) => name) });
      for (const event of scripts[Math.min(requests.length, scripts.length) - 1] ?? []) {
        await Promise.resolve();
        if (event instanceof Error) {
          throw event;
        }
        yield event;
      }
    },
  };
  const options: LoopOptions = {
    model,
    tools: TOOLS,
    messages: [QUESTION],
    callTool: async ({ name, id }) => ({ text: `${name} ${id} done` }),
    isReadOnly: (name) => name === "read",
    onText: (said) => texts.push(said),
    maxIterations: 5,
    signal: new AbortController().signal,
    ...more,
  };
  return { requests, texts, options };
}

describe("a turn", () => {
  test("passes text on as it comes, and ends with an answer without calls", async () => {
    const { options, texts, requests } = turn([[text("Be"), text("cause"), text(".")]]);
    expect(await runTurn(options)).toEqual({ messages: [{ role: "assistant", content: [text("Because.")] }], exhausted: false });
    expect(texts).toEqual(["Be", "cause", "."]);
    expect(requests).toEqual([{ messages: [QUESTION], tools: ["read", "edit"] }]);
  });

  test("runs the calls of an answer and tells the model what they gave", async () => {
    const { options, requests } = turn([[text("Look:"), call("1", "read", { path: "a" }), call("2", "read")], [text("Done.")]]);
    const { messages } = await runTurn(options);
    expect(messages).toEqual([
      { role: "assistant", content: [text("Look:"), call("1", "read", { path: "a" }), call("2", "read")] },
      {
        role: "user",
        content: [
          { type: "result", id: "1", text: "read 1 done" },
          { type: "result", id: "2", text: "read 2 done" },
        ],
      },
      { role: "assistant", content: [text("Done.")] },
    ]);
    expect(requests[1]?.messages).toEqual([QUESTION, ...messages.slice(0, 2)]);
  });

  test("keeps the order of text and calls in an answer", async () => {
    const { options } = turn([[text("a"), call("1", "read"), text("b"), text("c")], [text("end")]]);
    expect((await runTurn(options)).messages[0]?.content).toEqual([text("a"), call("1", "read"), text("bc")]);
  });

  test("gives the model what a tool that is not there answers, and media", async () => {
    const media = [{ mimeType: "image/png", bytes: new Uint8Array([1]) }];
    const answers: Record<string, CallResult> = { nope: { text: "Error (unknown_tool): nope: there is no such tool." }, read: { text: "image", media } };
    const { options, requests } = turn([[call("1", "nope"), call("2", "read")], [text("ok")]], { callTool: async ({ name }) => answers[name] ?? { text: "" } });
    await runTurn(options);
    expect(requests[1]?.messages.at(-1)?.content).toEqual([
      { type: "result", id: "1", text: "Error (unknown_tool): nope: there is no such tool." },
      { type: "result", id: "2", text: "image", media },
    ]);
  });

  test("leaves the caller's messages as they were", async () => {
    const messages = [structuredClone(QUESTION)];
    await runTurn(turn([[call("1", "read")]], { messages, maxIterations: 1 }).options);
    expect(messages).toEqual([QUESTION]);
  });
});

describe("an empty answer", () => {
  test.each<{ what: string; script: Script }>([
    { what: "nothing", script: [] },
    { what: "empty texts", script: [text(""), text("")] },
  ])("leaves no empty message, which model APIs refuse: $what", async ({ script }) => {
    const { options, texts } = turn([script]);
    expect(await runTurn(options)).toEqual({ messages: [], exhausted: false });
    expect(texts).toEqual([]);
  });

  test("after calls ends the turn all the same", async () => {
    const { options } = turn([[call("1", "read"), text("")], []]);
    const { messages } = await runTurn(options);
    expect(messages.map(({ role, content }) => [role, content.length])).toEqual([["assistant", 1], ["user", 1]]);
  });
});

describe("several calls", () => {
  /** Runs calls that take turns, and tells when each began and ended. */
  async function order(...names: string[]): Promise<string> {
    const events: string[] = [];
    const callTool = async ({ name, id }: ToolCall): Promise<CallResult> => {
      events.push(`${name}${id}+`);
      for (let tick = 0; tick < 5; tick++) {
        await Promise.resolve();
      }
      events.push(`${name}${id}-`);
      return { text: id };
    };
    const { options } = turn([names.map((name, index) => call(String(index), name)), [text("ok")]], { callTool });
    const { messages } = await runTurn(options);
    expect(messages[1]?.content.map((part) => part.type === "result" && part.id)).toEqual(names.map((_, index) => String(index)));
    return events.join(" ");
  }

  test("that read run side by side", async () => {
    expect(await order("read", "read", "read")).toBe("read0+ read1+ read2+ read0- read1- read2-");
  });

  test("that write run one after another", async () => {
    expect(await order("edit", "edit")).toBe("edit0+ edit0- edit1+ edit1-");
  });

  test("a read sees the writes before it and none after it", async () => {
    expect(await order("read", "edit", "read", "read", "edit")).toBe("read0+ read0- edit1+ edit1- read2+ read3+ read2- read3- edit4+ edit4-");
  });

  test("of a tool that is not there wait their turn", async () => {
    expect(await order("nope", "read")).toBe("nope0+ nope0- read1+ read1-");
  });
});

describe("when the requests run out", () => {
  const NOTE = "You have used all the tool calls of this turn. Answer now with what you know, and say what is still to be done.";

  test("the model is asked once more, without tools", async () => {
    const { options, requests, texts } = turn([[call("1", "read")], [call("2", "read")], [text("Half done.")]], { maxIterations: 2 });
    const { exhausted, messages } = await runTurn(options);
    expect(exhausted).toBe(true);
    expect(requests.map(({ tools }) => tools.length)).toEqual([2, 2, 0]);
    expect(requests[2]?.messages.at(-1)?.content.at(-1)).toEqual(text(NOTE));
    expect(texts).toEqual(["Half done."]);
    expect(messages.at(-1)).toEqual({ role: "assistant", content: [text("Half done.")] });
  });

  test("a model that calls all the same is not obeyed, and its call is not kept without a result", async () => {
    let ran = 0;
    const callTool = async (): Promise<CallResult> => ({ text: String(++ran) });
    const { options, requests } = turn([[call("1", "read")]], { maxIterations: 3, callTool });
    const { messages } = await runTurn(options);
    expect({ ran, requests: requests.length }).toEqual({ ran: 3, requests: 4 });
    expect(messages.at(-1)?.role).toBe("user");
  });

  test("an answer in time is not exhausted", async () => {
    expect((await runTurn(turn([[call("1", "read")], [text("ok")]], { maxIterations: 2 }).options)).exhausted).toBe(false);
  });
});

describe("what breaks off a turn", () => {
  test.each([
    { what: "before it says anything", script: [new ModelError("No quota.")], said: [] },
    { what: "in the middle", script: [text("Well"), new ModelError("No quota.")], said: ["Well"] },
  ])("the model, $what", async ({ script, said }) => {
    const { options, texts } = turn([script]);
    await expect(runTurn(options)).rejects.toThrow(new ModelError("No quota."));
    expect(texts).toEqual(said);
  });

  test("a call that throws, and the calls after it do not run", async () => {
    const ran: string[] = [];
    const callTool = async ({ id }: ToolCall): Promise<CallResult> => {
      ran.push(id);
      throw new Error("window closed");
    };
    const { options, requests } = turn([[call("1", "edit"), call("2", "edit")]], { callTool });
    await expect(runTurn(options)).rejects.toThrow("window closed");
    expect({ ran, requests: requests.length }).toEqual({ ran: ["1"], requests: 1 });
  });

  describe("cancellation", () => {
    function cancellable(): { signal: AbortSignal; stop: () => void } {
      const controller = new AbortController();
      return { signal: controller.signal, stop: () => controller.abort() };
    }

    test("before the turn asks nothing", async () => {
      const { options, requests } = turn([[text("x")]], { signal: AbortSignal.abort() });
      await expect(runTurn(options)).rejects.toMatchObject({ name: "AbortError" });
      expect(requests).toEqual([]);
    });

    test("in the middle of an answer shows no more of it", async () => {
      const { signal, stop } = cancellable();
      const texts: string[] = [];
      const onText = (said: string): void => {
        texts.push(said);
        stop();
      };
      await expect(runTurn(turn([[text("a"), text("b"), call("1", "edit")]], { signal, onText }).options)).rejects.toMatchObject({ name: "AbortError" });
      expect(texts).toEqual(["a"]);
    });

    test("at the end of an answer runs none of its calls", async () => {
      const { signal, stop } = cancellable();
      let ran = 0;
      const callTool = async (): Promise<CallResult> => ({ text: String(++ran) });
      const { options } = turn([[call("1", "edit"), text("now")]], { signal, onText: stop, callTool });
      await expect(runTurn(options)).rejects.toMatchObject({ name: "AbortError" });
      expect(ran).toBe(0);
    });

    test("during a call runs no other and asks no more", async () => {
      const { signal, stop } = cancellable();
      const ran: string[] = [];
      const callTool = async ({ id }: ToolCall): Promise<CallResult> => {
        ran.push(id);
        stop();
        return { text: "done" };
      };
      const { options, requests } = turn([[call("1", "edit"), call("2", "edit")]], { signal, callTool });
      await expect(runTurn(options)).rejects.toMatchObject({ name: "AbortError" });
      expect({ ran, requests: requests.length }).toEqual({ ran: ["1"], requests: 1 });
    });

    test("during the last call asks no more", async () => {
      const { signal, stop } = cancellable();
      const callTool = async (): Promise<CallResult> => {
        stop();
        return { text: "done" };
      };
      const { options, requests } = turn([[call("1", "edit")], [text("x")]], { signal, callTool });
      await expect(runTurn(options)).rejects.toMatchObject({ name: "AbortError" });
      expect(requests).toHaveLength(1);
    });
  });
});
