import { constants } from "node:os";
import { describe, expect, test } from "vitest";
import { errorCode, ioError } from "../../../src/hosts/node/disk/diskErrors.js";

/** As Node throws what libuv has no name for. */
function unnamed(errno: number): Error {
  const code = `Unknown system error -${errno}`;
  return Object.assign(new Error(`${code}: ${code}, open '/d/f'`), { code, errno: -errno, syscall: "open" });
}

describe("a system error that Node has no name for", () => {
  const { EDQUOT, ESTALE, EOWNERDEAD } = { EOWNERDEAD: 130, ...constants.errno };
  const cases: { name: string; errno: number; code: string; told: string }[] = [
    {
      name: "a quota",
      errno: EDQUOT,
      code: "EDQUOT",
      told: "f: the quota of this disk is used up. The file is as it was.",
    },
    {
      name: "a file that a network disk lost",
      errno: ESTALE,
      code: "ESTALE",
      told: "f: the network disk no longer knows this file: it was replaced elsewhere, or the disk was remounted.",
    },
    {
      name: "one with no name anywhere",
      errno: EOWNERDEAD,
      code: `Unknown system error -${EOWNERDEAD}`,
      told: `f: the system refused it with error ${EOWNERDEAD}, which has no name here.`,
    },
  ];
  test.each(cases)("is told in words: $name", ({ errno, code, told }) => {
    expect(errorCode(unnamed(errno))).toBe(code);
    expect(ioError("f", unnamed(errno))).toMatchObject({ type: "io_error", message: told });
  });
});
