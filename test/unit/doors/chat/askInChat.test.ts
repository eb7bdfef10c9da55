import { expect, test } from "vitest";
import { askedInChat } from "../../../../src/doors/chat/askInChat.js";
import type { Question } from "../../../../src/ports/confirm.js";

const question = (text: string, more: Partial<Question> = {}): Question => ({
  ...{ tool: "exec", title: "Run it", reasons: ["`rm $(x)` deletes."], derived: [] },
  ...{ detail: { language: "bash", text } },
  ...more,
});

/** Asks, and gives what was shown in the chat; undefined if a dialog asked. */
async function shownInChat(asked: Question): Promise<string | undefined> {
  let shown = "";
  let isDialog = false;
  const confirm = askedInChat(
    {
      confirm: { ask: () => Promise.resolve("no" as const).finally(() => (isDialog = true)) },
      questions: {
        ask: (_question, _signal, show) => {
          show([{ title: "Always Allow “a $(b)”", answer: "always", command: "c", argument: { key: "k" } }]);
          return Promise.resolve("once");
        },
      },
    },
    { own: (text) => void (shown += text), button: () => undefined, progress: () => undefined },
  );
  await confirm.ask(asked, new AbortController().signal);
  return isDialog ? undefined : shown;
}

const rule = (command: string): Question["derived"][number] => ({
  tool: "exec",
  params: { command },
  decision: "allow",
});

test("a question in the chat has its reasons, what will happen, every rule and the answer", async () => {
  const shown = await shownInChat(question("rm x", { derived: [rule("rm x"), rule("rm y")] }));
  for (const part of [
    "**Allow this?** Run it",
    "```bash\nrm x\n```",
    "The rules that would allow it: `rm x`, `rm y`",
    "Allowed once: Run it",
  ]) {
    expect(shown).toContain(part);
  }
});

test("names the only rule in the link that adds it, or above if the link has no room", async () => {
  expect(await shownInChat(question("rm x", { derived: [rule("rm x")] }))).not.toContain("would allow it");
  const long = `rm ${"x".repeat(40)}`;
  expect(await shownInChat(question("rm x", { derived: [rule(long)] }))).toContain(
    `The rule that would allow it: \`${long}\``,
  );
});

test("names a command that its headline has in full only there, and in the answer", async () => {
  const command = "rm x*y";
  const asked = question(command, {
    ...{ title: `Run ${command}`, reasons: ["Deletes files."] },
  });
  const shown = (await shownInChat(asked)) ?? "";
  expect(shown).toContain("**Allow this?** Run `rm x*y`\n\nDeletes files\\.\n\n");
  expect(shown.split(command)).toHaveLength(3);
  expect(shown).toContain("Allowed once: Run `rm x*y`");
});

test.each([
  ["a title that ends like the command", "Check ls", "ls"],
  ["blanks that a line would join", "Run rm a b", "rm a  b"],
  ["a character that cannot be seen", "Run rm a\u202eb", "rm a\u202eb"],
  ["a folder that only the block names", "Run rm a", "# in docs\nrm a"],
  ["a dollar, which would make a formula of the headline", "Run echo $HOME", "echo $HOME"],
  ["a dollar that begins a command", "Run $(cat cmd) build", "$(cat cmd) build"],
])("shows the command in a block of its own: %s", async (_what, title, command) => {
  expect(await shownInChat(question(command, { title }))).toContain("```bash\n");
});

test("has no bare dollar in its headline but the icon's, and shows there what cannot be seen", async () => {
  const command = "rm \u202e$a$b";
  const [headline = ""] = ((await shownInChat(question(command, { title: `Run ${command}` }))) ?? "")
    .trim()
    .split("\n");
  expect(headline.replaceAll(/\\[^]/g, "").split("$")).toHaveLength(2);
  expect(headline.replaceAll("\\", "")).toContain("u202e");
});

test("says what the link adds in words only if its rule allows nothing else", async () => {
  const asked = (command: string): Promise<string | undefined> =>
    shownInChat(question(command, { title: `Run ${command}`, derived: [rule(command)] }));
  expect(await asked("rm x")).toContain("[Always Allow This Command]");
  expect(await asked("rm *")).not.toContain("This Command");
});

test("tells who marks the steps about a no, and about nothing else", async () => {
  for (const answer of ["no", "once"] as const) {
    const refused: string[] = [];
    const confirm = askedInChat(
      {
        confirm: { ask: () => Promise.resolve("no" as const) },
        questions: { ask: () => Promise.resolve(answer) },
        refused: (title) => void refused.push(title),
      },
      { own: () => undefined, button: () => undefined, progress: () => undefined },
    );
    await confirm.ask(question("rm x"), new AbortController().signal);
    // A dialog leaves nothing in the chat: the step says it.
    await confirm.ask(question("x\n".repeat(40)), new AbortController().signal);
    expect(refused).toEqual(answer === "no" ? ["Run it"] : []);
  }
});

test("shows $(…) as it is, and links that say what they do instead of their command", async () => {
  const shown = (await shownInChat(question("rm x"))) ?? "";
  expect(shown).toContain("`rm $\u2060(x)`");
  expect(shown).toContain('](command:c?%5B%7B%22key%22%3A%22k%22%7D%5D "Adds the rule to your settings');
  expect(shown).not.toContain("$(b");
});

test.each([
  ["a long line, whose end nobody would see", `npm test${" ".repeat(200)}; rm -rf x`, {}],
  ["many lines", "x\n".repeat(40), {}],
  ["many characters", `${"x".repeat(100)}\n`.repeat(29), { reasons: ["y".repeat(200)] }],
  ["many reasons", "x", { reasons: Array.from({ length: 9 }, (_, at) => `Reason ${at}.`) }],
])("%s is asked in a dialog", async (_what, text, more) => {
  expect(await shownInChat(question(text, more))).toBeUndefined();
});

test("words for people are asked about in the chat however long a line is: they are wrapped there", async () => {
  const detail = {
    language: "prose",
    text: `Runs every minute: * * * * *\n\nTime zone UTC; next: ${"Fri, 27 Nov 2026, 17:01 UTC; ".repeat(3)}`,
  };
  expect(await shownInChat(question("", { detail }))).toContain("> Runs every minute");
  const long = { language: "prose", text: "x".repeat(4_000) };
  expect(await shownInChat(question("", { detail: long }))).toBeUndefined();
});

test("a command that was tried is asked about in the chat, unless what it did is too long or too wide", async () => {
  const tried = (text: string): Question =>
    question("make it", { outcome: [{ title: "What it changed", language: "diff", text }] });
  expect(await shownInChat(tried("+one\n-two"))).toContain(
    "```bash\nmake it\n```\n\nWhat it changed:\n\n```diff\n+one\n-two\n```",
  );
  expect(await shownInChat(tried("+one\n".repeat(30)))).toBeUndefined();
  expect(await shownInChat(tried(`+${"x".repeat(120)}`))).toBeUndefined();
  expect(await shownInChat(tried(`+${"x".repeat(119)}`))).toContain("xxx");
});
