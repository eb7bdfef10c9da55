// What the tests import as "node:path": that of Windows with slashes between names, as our own code gives paths to the
// disk. The code that is tested has Node's.
import { win32 } from "node:path";
import { slashed } from "../../src/hosts/node/disk/slashed.js";

export { basename, delimiter, dirname, isAbsolute, posix, sep, win32 } from "node:path";

export const join = (...parts: string[]): string => slashed(win32.join(...parts));
export const resolve = (...parts: string[]): string => slashed(win32.resolve(...parts));
export const relative = (from: string, to: string): string => slashed(win32.relative(from, to));
