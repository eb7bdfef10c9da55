import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { LineInput } from "../../../src/hosts/vscode/terminal/lineInput.js";

/** What is shown and what is sent for keys that come one after another. */
function typed(...keys: string[]): { shown: string; sent: string[]; pressed: string[] } {
  const input = new LineInput();
  const events = keys.flatMap((key) => input.take(key));
  return {
    shown: events.map((event) => ("echo" in event ? event.echo : "")).join(""),
    sent: events.flatMap((event) => ("text" in event ? event.text : [])),
    pressed: events.flatMap((event) => ("key" in event ? event.key : [])),
  };
}

describe("a line typed into a terminal", () => {
  it("is shown as it is typed and sent with Enter", () => {
    expect(typed("y", "e", "s")).toEqual({ shown: "yes", sent: [], pressed: [] });
    expect(typed("y", "e", "s", "\r", "n", "\r")).toEqual({
      shown: "yes\r\nn\r\n",
      sent: ["yes\n", "n\n"],
      pressed: [],
    });
    expect(typed("\r").sent).toEqual(["\n"]);
  });

  it("loses its last character with Backspace, two cells of a wide one, and nothing before its start", () => {
    expect(typed("a", "b", "\x7f", "c", "\r")).toMatchObject({ shown: "ab\b \bc\r\n", sent: ["ac\n"] });
    expect(typed("漢", "\x7f", "\x7f", "\r")).toMatchObject({ shown: "漢\b \b\b \b\r\n", sent: ["\n"] });
    expect(typed("👍", "\x7f", "\r").sent).toEqual(["\n"]);
    expect(typed("abc", "\x15", "d", "\r").sent).toEqual(["d\n"]);
  });

  it("is pasted line by line", () => {
    expect(typed("one\r\ntwo\rthree").sent).toEqual(["one\n", "two\n"]);
  });

  it("is given up with Ctrl+C, and sent without an end with Ctrl+D", () => {
    expect(typed("abc", "\x03", "d", "\r")).toMatchObject({ sent: ["d\n"], pressed: ["interrupt"] });
    expect(typed("abc", "\x04")).toMatchObject({ sent: ["abc"], pressed: [] });
    expect(typed("\x04")).toMatchObject({ sent: [], pressed: ["end"] });
  });

  it("takes nothing from the terminal's own answers, keys that are no text, and marks of a paste", () => {
    const answers = [
      "\x1b[3;1R",
      "\x1b[?1;2c",
      "\x1b]10;rgb:ffff/ffff/ffff\x1b\\",
      "\x1b]11;rm -rf\x07",
      "\x1bP1$r0m\x1b\\",
      "\x1b[I",
      "\x1b[A",
      "\x1bOP",
      "\x1b[15~",
      "\x1b\r",
    ];
    expect(typed(...answers.slice(0, -1), "a", "\r")).toMatchObject({ shown: "a\r\n", sent: ["a\n"] });
    expect(typed("\x1b[200~pasted\x1b[201~", "\r").sent).toEqual(["pasted\n"]);
  });

  it("never shows or sends a control character, whatever comes", () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.string({ unit: fc.constantFrom("a", "b", "\x1b", "[", "]", "\x07", "\x00", "\x0e", ";", "1", "R", "\\") }),
        ),
        (keys) => {
          const { shown, sent } = typed(...keys);
          expect(`${shown}${sent.join("")}`).not.toMatch(/[\0-\x08\x0e-\x1f]/);
        },
      ),
    );
  });
});
