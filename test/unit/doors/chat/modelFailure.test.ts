// What an answer says of a model that failed: once, with the step that the reason names as a button.
import { expect, test } from "vitest";
import { tellFailure } from "../../../../src/doors/chat/modelFailure.js";
import type { ChatOutput } from "../../../../src/doors/chat/output.js";

function told(
  message: string | undefined,
  hasAnswer = false,
): { text: string; trusted: readonly string[]; buttons: unknown[] } {
  const shown = { text: "", trusted: [] as readonly string[], buttons: [] as unknown[] };
  const output: Pick<ChatOutput, "own" | "button"> = {
    own: (text, commands = []) => {
      shown.text += text;
      shown.trusted = commands;
    },
    button: (button) => shown.buttons.push(button),
  };
  tellFailure(output, message, hasAnswer);
  return shown;
}

const choose = { command: "workbench.action.chat.openModelPicker", title: "Choose Another Model…" };

test("a key that was refused has a button that sets it, and a link for another model", () => {
  const { text, trusted, buttons } = told(
    "local requires a key. Set it with the command “Toolhost: Set Key of Model Server…”.",
  );
  expect(text).toContain("**The model did not answer.** local requires a key");
  expect(text).toContain("[choose another model](command:workbench.action.chat.openModelPicker)");
  expect(trusted).toEqual([choose.command]);
  expect(buttons).toEqual([{ command: "toolhost.models.setKey", title: "Set Key…" }]);
});

test("an address that is wrong has a button that opens its setting", () => {
  const { buttons } = told(
    "Nothing answers at local. Its baseUrl is in the setting toolhost.models.servers, entry “local”.",
  );
  expect(buttons).toEqual([
    { command: "workbench.action.openSettings", title: "Open Setting", arguments: ["toolhost.models.servers"] },
  ]);
});

test("any other failure has a button for another model; what the provider says is shown as text", () => {
  const { text, trusted, buttons } = told("It says: [press me](command:workbench.action.quit)", true);
  expect(text).toContain("**The model did not finish.**");
  expect(text).not.toContain("[press me](command:");
  expect(trusted).toEqual([]);
  expect(buttons).toEqual([choose]);
});

test("a failure without a reason is told as one", () => {
  expect(told(undefined).text.trim()).toBe("$(error) **The model did not answer.**");
});
