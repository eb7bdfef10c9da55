import { hash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { cachedDataVersionTag } from "node:v8";
import { Script } from "node:vm";

/** Delay before the compiled code is stored, in ms, so that it includes the functions that the first calls needed. */
const KEEP_AFTER = 10_000;
/** Bytes of the hash in front of the code. */
const HASH_BYTES = 32;

/**
 * Loads a CommonJS file as `require` does, with the machine code that V8 compiled for it the last time.
 * `module.enableCompileCache` would do so for every module of the process, including other extensions', and keeps less.
 *
 * @param load the `require` of a module in the same folder
 * @param folder where the code is kept, created if needed; if nothing can be written, the file still loads, only slower
 * @returns the file's exports
 */
export function requireCached(file: string, load: NodeJS.Require, folder: string): unknown {
  const source = readFileSync(file);
  // V8 checks only a source's length, so the code of another build must have another name.
  const cache = join(
    folder,
    `${basename(file, ".js")}-${hash("sha256", source).slice(0, 16)}-${cachedDataVersionTag()}.bin`,
  );
  const cachedData = readKept(cache);
  const wrapped = `(function (exports, require, module, __filename, __dirname) {${source.toString("utf8")}\n})`;
  const script = new Script(wrapped, { filename: file, ...(cachedData && { cachedData }) });
  const module = { exports: {} as unknown };
  const run = script.runInThisContext() as (...given: unknown[]) => void;
  run(module.exports, load, module, file, dirname(file));
  if (cachedData === undefined || script.cachedDataRejected === true) {
    setTimeout(() => keep(cache, script.createCachedData()), KEEP_AFTER).unref();
  }
  return module.exports;
}

/**
 * Returns the stored code; undefined if there is none or it is incomplete: V8 does not notice, and damaged code can
 * crash the process.
 */
function readKept(cache: string): Buffer | undefined {
  try {
    const kept = readFileSync(cache);
    const code = kept.subarray(HASH_BYTES);
    return hash("sha256", code, "buffer").equals(kept.subarray(0, HASH_BYTES)) ? code : undefined;
  } catch {
    return undefined;
  }
}

/** Stores the code and removes that of older builds, of other V8 versions, and of writers that were killed. */
function keep(cache: string, code: Buffer): void {
  const folder = dirname(cache);
  const temporary = `${cache}.${process.pid}`;
  try {
    mkdirSync(folder, { recursive: true });
    writeFileSync(temporary, Buffer.concat([hash("sha256", code, "buffer"), code]), { mode: 0o600 });
    renameSync(temporary, cache);
    const others = readdirSync(folder).filter((name) => name !== basename(cache));
    others.forEach((name) => rmSync(join(folder, name), { force: true }));
  } catch {
    // Ignored: the next window loads as slowly as this one, and tries again.
  }
}
