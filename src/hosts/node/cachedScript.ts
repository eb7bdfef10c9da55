import { hash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { cachedDataVersionTag } from "node:v8";
import { Script } from "node:vm";

/** Milliseconds after which the compiled code is kept: what the first calls needed is compiled then, too. */
const KEEP_AFTER = 10_000;
/** Bytes of the hash before the code. */
const HASH_BYTES = 32;

/**
 * Loads a CommonJS file as `require` does, with the machine code that V8 made of it the last time.
 * `module.enableCompileCache` would do so for every module of the process, those of other extensions too, and keeps less.
 *
 * @param load the `require` of a module in the same folder
 * @param folder where the code is kept, made when it is not there; the file loads as well, if slower, where nothing can
 * be written
 * @returns what the file exports
 */
export function requireCached(file: string, load: NodeJS.Require, folder: string): unknown {
  const source = readFileSync(file, "utf8");
  // V8 looks at nothing but the length of a source: a code of another build must have another name.
  const cache = join(
    folder,
    `${basename(file, ".js")}-${hash("sha256", source).slice(0, 16)}-${cachedDataVersionTag()}.bin`,
  );
  const cachedData = readKept(cache);
  const wrapped = `(function (exports, require, module, __filename, __dirname) {${source}\n})`;
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
 * The code that was kept, undefined when there is none or it is not whole: V8 does not notice, and a damaged one can
 * end the process.
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

/** Replaces what is kept of older builds, of other versions of V8, and of writers that were ended in the middle. */
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
    // The next window loads as slowly as this one, and tries again.
  }
}
