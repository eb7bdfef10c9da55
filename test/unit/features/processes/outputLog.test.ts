import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { OutputLog } from "../../../../src/features/processes/outputLog.js";
import { OutputRing } from "../../../../src/features/processes/outputRing.js";
import { OutputSpool } from "../../../../src/features/processes/outputSpool.js";
import type { Results, StoredResult } from "../../../../src/ports/results.js";
import { asciiText } from "../../../../src/text/terminal/bytes.js";
import { plainTerminalText } from "../../../../src/text/terminal/text.js";

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

/** A store whose writes wait until they are let go. */
function slowStore(): { results: Pick<Results, "open">; kept: () => string; letGo: () => Promise<void> } {
  let kept = "";
  let waiting: (() => void)[] = [];
  const results: Pick<Results, "open"> = {
    open: async () => ({
      id: "r1",
      write: (...parts) =>
        new Promise<void>((resolve) =>
          waiting.push(() => {
            kept += parts.map((part) => (typeof part === "string" ? part : asciiText(part))).join("");
            resolve();
          }),
        ),
      close: async (): Promise<StoredResult> => ({ id: "r1", characters: kept.length, pages: 1, dropped: 0 }),
      discard: async () => undefined,
    }),
  };
  const letGo = async (): Promise<void> => {
    for (let turn = 0; turn < 5; turn++) {
      await Promise.resolve();
    }
    const some = waiting;
    waiting = [];
    some.forEach((go) => go());
    for (let turn = 0; turn < 5; turn++) {
      await Promise.resolve();
    }
  };
  return { results, kept: () => kept, letGo };
}

describe("a cursor", () => {
  it("sees each character once, whenever it looks", () => {
    const piece = fc.constantFrom("a", "bc\n", "\n", "1%\r", "22%\r", "\r\n", "x".repeat(50), "\b", "😀", "\x1b[K");
    fc.assert(
      fc.property(fc.array(fc.tuple(piece, fc.boolean()), { maxLength: 30 }), (steps) => {
        const log = new OutputLog(undefined);
        let cursor = 0;
        let lastLine = "";
        let seen = "";
        for (const [text, looks] of steps) {
          log.push(bytesOf(text));
          if (looks) {
            const part = log.output(cursor);
            expect(part.missed).toBe(0);
            expect(part.from).toBeGreaterThanOrEqual(cursor);
            expect(part.next).toBeGreaterThanOrEqual(cursor);
            cursor = part.next;
            seen += part.text;
          }
        }
        lastLine = plainTerminalText(steps.map(([text]) => text).join(""));
        // Nobody who looks from the start sees a line twice, and all that is fixed is seen.
        expect(log.output(0).text).toBe(lastLine);
        expect(log.output(cursor).missed).toBe(0);
        const whole = seen + log.output(cursor).text;
        for (const line of lastLine.split("\n").filter((each) => /[bc]/.test(each))) {
          expect(whole).toContain(line.slice(-1));
        }
      }),
      { numRuns: 1_000 },
    );
  });

  it("is shown the new state of a line that was overwritten, not the old one again", () => {
    const log = new OutputLog(undefined);
    log.push(bytesOf("start\n10%"));
    const first = log.output(0);
    expect(first).toEqual({ text: "start\n10%", from: 0, next: 9, missed: 0 });
    log.push(bytesOf("\r20%"));
    expect(log.output(first.next)).toEqual({ text: "20%", from: 9, next: 12, missed: 0 });
    expect(log.output(12)).toEqual({ text: "", from: 12, next: 12, missed: 0 });
    log.push(bytesOf(" of all"));
    expect(log.output(12)).toEqual({ text: " of all", from: 12, next: 19, missed: 0 });
    log.push(bytesOf("\rdone      \nnext"));
    expect(log.output(19).text).toBe("done\nnext");
    expect(log.output(0).text).toBe("start\ndone\nnext");
    expect(log.summary(1_000).text).toBe("start\ndone\nnext");
  });

  it("beyond the end is the end", () => {
    const log = new OutputLog(undefined);
    log.push(bytesOf("abc"));
    expect(log.output(Number.MAX_SAFE_INTEGER)).toEqual({ text: "", from: 3, next: 3, missed: 0 });
    expect(log.output(-5).text).toBe("abc");
  });

  it("is told how much it missed", () => {
    const log = new OutputLog(undefined);
    const line = `${"x".repeat(99)}\n`;
    for (let count = 0; count < 10_000; count++) {
      log.push(bytesOf(line));
    }
    const part = log.output(1_000);
    expect(part.next).toBe(1_000_000);
    expect(part.from + part.text.length).toBe(part.next);
    expect(part.missed).toBe(part.from - 1_000);
    expect(part.text.length).toBeGreaterThanOrEqual(200_000);
    expect(part.text.length).toBeLessThan(250_000);
  });

  it("wakes who waits: for output, for the end, or no longer", async () => {
    const log = new OutputLog(undefined);
    const waits = new AbortController();
    const order: string[] = [];
    const first = log.changed(0, waits.signal).then(() => order.push("output"));
    log.push(bytesOf("a"));
    await first;
    const second = log.changed(1, waits.signal).then(() => order.push("aborted"));
    log.push(bytesOf("\r"));
    await Promise.resolve();
    waits.abort();
    await second;
    const third = log.changed(1, new AbortController().signal).then(() => order.push("end"));
    log.finish();
    await third;
    expect(order).toEqual(["output", "aborted", "end"]);
  });

  it("wakes who waits again and again not for every chunk, but soon", async () => {
    const log = new OutputLog(undefined);
    const never = new AbortController().signal;
    let looks = 0;
    let cursor = 0;
    const watching = (async () => {
      while (cursor < 5_000) {
        await log.changed(cursor, never);
        looks++;
        cursor = log.output(cursor).next;
      }
    })();
    for (let count = 0; count < 1_000; count++) {
      log.push(bytesOf("line\n"));
      await Promise.resolve();
    }
    await watching;
    expect(looks).toBeLessThan(20);
  });
});

describe("a summary", () => {
  it("is the whole while that fits, and head, tail and exact counts then", () => {
    const line = fc.constantFrom("a\n", "line\n", "\n", `${"x".repeat(500)}\n`, "😀😀\n", `${"y".repeat(20_000)}\n`);
    fc.assert(
      fc.property(
        fc.array(line, { maxLength: 60 }),
        fc.constantFrom("", "open"),
        fc.constantFrom(0, 150, 1_000, 10_000, 100_000),
        (lines, last, max) => {
          const log = new OutputLog(undefined);
          const whole = lines.join("") + last;
          for (const each of [...lines, last]) {
            log.push(bytesOf(each));
          }
          const { text, omitted } = log.summary(max);
          expect(text.length).toBeLessThanOrEqual(max);
          if (whole.length <= max) {
            expect({ text, omitted }).toEqual({ text: whole, omitted: undefined });
          } else if (max > 0) {
            const [head = "", tail = ""] = text.split(/\n?\[… \d+ characters? in \d+ lines? omitted …\]\n/);
            expect(whole.startsWith(head) && whole.endsWith(tail)).toBe(true);
            expect(Math.abs((omitted?.characters ?? 0) + head.length + tail.length - whole.length)).toBeLessThanOrEqual(
              1,
            );
          } else {
            expect(omitted?.characters).toBe(whole.length);
          }
        },
      ),
      { numRuns: 500 },
    );
  });
});

describe("the ring", () => {
  it("joins short texts and keeps gaps", () => {
    const ring = new OutputRing(1_000);
    ring.push(0, "ab");
    ring.push(2, "cd");
    ring.push(10, "ef");
    expect(ring.since(1)).toEqual({ from: 1, text: "bcdef" });
    expect(ring.since(5)).toEqual({ from: 10, text: "ef" });
    expect(ring.since(12)).toBeUndefined();
    expect(ring.tail(3)).toBe("def");
    expect(ring.tail(0)).toBe("");
  });

  it("holds bytes as text", () => {
    const ring = new OutputRing(10);
    ring.push(0, bytesOf("0123456789"));
    ring.push(10, "abc");
    ring.push(13, bytesOf("XYZ"));
    expect([ring.since(8), ring.since(14), ring.tail(5)]).toEqual([
      { from: 8, text: "89abcXYZ" },
      { from: 14, text: "YZ" },
      "bcXYZ",
    ]);
    ring.push(16, bytesOf("x".repeat(100)));
    expect(ring.since(0)).toEqual({ from: 106, text: "x".repeat(10) });
  });

  it("holds its last part of one text that is larger than it", () => {
    const ring = new OutputRing(10);
    ring.push(0, "x".repeat(100));
    expect(ring.since(0)).toEqual({ from: 90, text: "x".repeat(10) });
  });
});

describe("the result store", () => {
  it("gets the whole from the first character on, once it is longer than an answer", async () => {
    const { results, kept, letGo } = slowStore();
    const log = new OutputLog(new OutputSpool(results, "test", 10));
    log.push(bytesOf("12345\n"));
    await letGo();
    expect(log.resultId).toBeUndefined();
    log.push(bytesOf("67890\nopen"));
    await letGo();
    expect(log.resultId).toBe("r1");
    const sealed = log.seal();
    await letGo();
    await letGo();
    expect(await sealed).toMatchObject({ characters: 16 });
    expect(kept()).toBe("12345\n67890\nopen");
    log.push(bytesOf("late\n"));
    expect([log.summary(100).text, log.output(0).text]).toEqual(["12345\n67890\nopen", "12345\n67890\nopenlate\n"]);
  });

  it("gets large chunks as they came and others as text, and so does who looks", async () => {
    const large = fc.constantFrom(
      "a line\n".repeat(600),
      "x".repeat(5_000),
      `${"y".repeat(4_500)}\n`,
      `end\n${"z".repeat(4_200)}`,
      "\tcode\n".repeat(9_000),
      `${"é".repeat(3_000)}\n`,
    );
    const small = fc.constantFrom("a", "\n", "1%\r", "\x1b[31m", "\x1b[K", "\b", "é");
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(fc.oneof(large, small), fc.boolean()), { maxLength: 12 }), async (steps) => {
        const { results, kept, letGo } = slowStore();
        const log = new OutputLog(new OutputSpool(results, "test", 10));
        let cursor = 0;
        for (const [text, looks] of steps) {
          log.push(bytesOf(text));
          cursor = looks ? log.output(cursor).next : cursor;
        }
        const whole = plainTerminalText(steps.map(([text]) => text).join(""));
        const sealed = log.seal();
        for (let turn = 0; turn < 5; turn++) {
          await letGo();
        }
        if ((await sealed) !== undefined) {
          expect(kept()).toBe(whole);
        }
        expect(whole.endsWith(log.output(0).text.slice(-100))).toBe(true);
        const { text, omitted } = log.summary(10_000);
        expect(omitted === undefined ? text : text.slice(0, 3_000)).toBe(
          omitted === undefined ? whole : whole.slice(0, 3_000),
        );
        expect(text.slice(-3_000)).toBe(whole.slice(-3_000));
      }),
      { numRuns: 300 },
    );
  });

  it("that is slow holds the process back", async () => {
    const { results, letGo } = slowStore();
    const log = new OutputLog(new OutputSpool(results, "test", 10));
    const chunk = bytesOf(`${"x".repeat(65_535)}\n`);
    let pushed = 0;
    while (!log.isFull) {
      log.push(chunk);
      pushed++;
    }
    expect(pushed * chunk.length).toBeLessThan(5_000_000);
    let hasRoom = false;
    void log.room().then(() => (hasRoom = true));
    await Promise.resolve();
    expect(hasRoom).toBe(false);
    while (!hasRoom) {
      await letGo();
    }
    expect(log.isFull).toBe(false);
  });
});

describe("bytes that are written over as soon as they were taken in", () => {
  const lines = Array.from({ length: 40 }, (_, number) => `${String(number).padStart(2, "0")}${"x".repeat(60_000)}\n`);

  it.each([
    ["lines", lines],
    ["a character in two parts", [`${"x".repeat(60_000)}é\n`, "y".repeat(70_000), "\n"]],
  ])("are kept as they were: %s", async (_name, texts) => {
    const { results, kept, letGo } = slowStore();
    const log = new OutputLog(new OutputSpool(results, "test", 0));
    // As a host reads every pipe: into one buffer, whose rest of an earlier read is still there.
    const buffer = new Uint8Array(65_536);
    let sealed = false;
    const all = bytesOf(texts.join(""));
    for (let at = 0; at < all.length; at += 60_001) {
      const part = all.subarray(at, at + 60_001);
      buffer.set(part);
      log.push(buffer.subarray(0, part.length));
      buffer.fill(33);
      if (at % 3 === 0) {
        await letGo();
      }
    }
    const end = log.seal().then(() => (sealed = true));
    while (!sealed) {
      await letGo();
    }
    await end;
    expect(kept()).toBe(texts.join(""));
    expect(log.output(0).text).toBe(texts.join("").slice(-log.output(0).text.length));
  });
});
