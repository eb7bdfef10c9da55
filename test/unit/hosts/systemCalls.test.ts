import { describe, expect, it } from "vitest";
import { systemCallFilter } from "../../../src/hosts/node/processes/systemCalls.js";

const [X64, I386, ARM64, ARM, RISCV] = [0xc000003e, 0x40000003, 0xc00000b7, 0x40000028, 0xc00000f3];

/** What the kernel does with a call, by a filter as it runs it (linux/filter.h). */
function verdict(filter: Buffer, audit: number, call: number, argument = 0): string {
  const words = new Map([
    [0, call],
    [4, audit],
    [16, argument],
  ]);
  let value = 0;
  for (let at = 0; at < filter.length; at += 8) {
    const [code, k] = [filter.readUInt16LE(at), filter.readUInt32LE(at + 4)];
    const jump = (isTrue: boolean): void => void (at += 8 * filter.readUInt8(at + (isTrue ? 2 : 3)));
    if (code === 0x20) {
      value = words.get(k) ?? Number.NaN;
    } else if (code === 0x15) {
      jump(value === k);
    } else if (code === 0x35) {
      jump(value >= k);
    } else if (code === 0x06) {
      const results: Record<number, string> = { 0x7fff0000: "allowed", 0x80000000: "killed" };
      return results[k] ?? `error ${k - 0x50000}`;
    } else {
      throw new Error(`an instruction that there is not: ${code}`);
    }
  }
  throw new Error("the filter has no end");
}

type Row = [arch: string, audit: number, call: number, argument: number, expected: string];

describe("the filter of system calls", () => {
  it.each<Row>([
    // read, execve, exit_group and the last call before io_uring_setup
    ...[0, 59, 231, 424, 426, 450].map((call): Row => ["x64", X64, call, 40, "allowed"]),
    ...[1, 2, 10, 16].map((family): Row => ["x64", X64, 41, family, "allowed"]),
    ...[0, 3, 17, 31, 38, 40, 42, 0xffffffff].map((family): Row => ["x64", X64, 41, family, "error 97"]),
    ...[248, 249, 250, 425, 0x40000000, 0x40000029, 0xffffffff].map((call): Row => ["x64", X64, call, 1, "error 38"]),
    ...[1, 3, 11, 252].map((call): Row => ["x64", I386, call, 40, "allowed"]),
    ["x64", I386, 359, 1, "allowed"],
    ["x64", I386, 359, 40, "error 97"],
    ...[102, 286, 287, 288, 425].map((call): Row => ["x64", I386, call, 1, "error 38"]),
    ["x64", ARM64, 198, 1, "killed"],
    ["x64", RISCV, 1, 1, "killed"],
    ...[63, 93, 221, 424].map((call): Row => ["arm64", ARM64, call, 40, "allowed"]),
    ["arm64", ARM64, 198, 10, "allowed"],
    ["arm64", ARM64, 198, 40, "error 97"],
    ...[217, 218, 219, 425].map((call): Row => ["arm64", ARM64, call, 1, "error 38"]),
    ["arm64", ARM, 281, 2, "allowed"],
    ["arm64", ARM, 281, 40, "error 97"],
    ...[309, 310, 311, 425].map((call): Row => ["arm64", ARM, call, 1, "error 38"]),
    ["arm64", X64, 41, 1, "killed"],
  ])("of %s, for a program of %i: call %i with %i is %s", (arch, audit, call, argument, expected) => {
    const filter = systemCallFilter(arch);
    expect(filter && verdict(filter, audit, call, argument)).toBe(expected);
  });

  it("is none where the numbers are not known", () => {
    expect(systemCallFilter("riscv64")).toBeUndefined();
  });
});
