// Takes the place of @vscode/spdlog in the downloaded server, whose native half is not built: log files and the
// output view then work as in desktop VS Code. Same interface (index.d.ts there), without rotation.
const { appendFileSync, mkdirSync } = process.getBuiltinModule("node:fs");
const { dirname } = process.getBuiltinModule("node:path");

const levels = /** @type {const} */ (["trace", "debug", "info", "warn", "error", "critical"]);
const INFO = levels.indexOf("info");

class Logger {
  #file;
  #level = INFO;
  /** Whether each message is written as it is, without time and level. */
  #plain = false;

  /**
   * @param {string} _type
   * @param {string} _name
   * @param {string} file
   */
  constructor(_type, _name, file) {
    mkdirSync(dirname(file), { recursive: true });
    this.#file = file;
  }

  getLevel() {
    return this.#level;
  }

  /** @param {number} level index in `levels`; 6 is off */
  setLevel(level) {
    this.#level = level;
  }

  setPattern() {
    this.#plain = false;
  }

  clearFormatters() {
    this.#plain = true;
  }

  /** Nothing is buffered. */
  flush() {}

  drop() {}

  /** @param {number} level @param {string} message */
  write(level, message) {
    if (level < this.#level) return;
    const time = new Date().toISOString().replace("T", " ").replace("Z", "");
    appendFileSync(this.#file, this.#plain ? message : `${time} [${levels[level]}] ${message}\n`);
  }
}

for (const [level, name] of levels.entries()) {
  Object.defineProperty(Logger.prototype, name, {
    /** @this {Logger} @param {string} message */
    value(message) {
      this.write(level, message);
    },
  });
}

/** @param {string} name @param {string} file */
const createLogger = async (name, file) => new Logger("rotating", name, file);

// One by one: the form that an import of this file recognises.
exports.setLevel = () => {};
exports.setFlushOn = () => {};
exports.Logger = Logger;
exports.createRotatingLogger = createLogger;
exports.createAsyncRotatingLogger = createLogger;
