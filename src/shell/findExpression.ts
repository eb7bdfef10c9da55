/**
 * Works out which names `find` prints, as far as its words show (find(1), GNU findutils 4.9). If in doubt, returns more
 * names than it prints, never fewer.
 */
import type { Listed } from "./analysis.js";
import type { ArgWord } from "./judge.js";
import type { NamedUse } from "./known.js";

/** The names that `find` prints, and the character that ends each. */
export interface FoundNames {
  uses: readonly NamedUse[];
  ends: "line" | "nul";
}

/** Tests whose outcome is ignored, and how many words follow each. */
const TESTS: Readonly<Record<string, number | undefined>> = {
  ...Object.fromEntries(
    "-empty -readable -writable -executable -true -quit -daystart -depth -d -noleaf -xdev -mount -warn -nowarn -nouser -nogroup"
      .split(" ")
      .map((name) => [name, 0]),
  ),
  ...Object.fromEntries(
    "-name -iname -path -wholename -ipath -iwholename -regex -iregex -regextype -type -xtype -maxdepth -mindepth -size -mtime -mmin -atime -amin -ctime -cmin -newer -anewer -cnewer -newermt -perm -user -group -links"
      .split(" ")
      .map((name) => [name, 1]),
  ),
};

/** The files for which part of the expression is true: at most these. */
interface Bounds {
  names?: readonly string[];
  except: readonly Left[];
  regular: boolean;
  /** Whether it has an action that prints. */
  prints: boolean;
  /** Whether folders for which it is true are not entered. */
  prunes: boolean;
  /** The patterns it tests, if it tests exactly these. */
  exactly?: readonly Left[];
  /** The same, counting only folders. */
  ofFolders?: readonly Left[];
}

type Left = NonNullable<Listed["except"]>[number];

/** Thrown for an expression that is not one of the usual ones. */
class Unusual extends Error {}

/**
 * Returns what `find` prints for each file.
 * @param words its words, its name first
 * @param forExec treat `-exec … ;` and `-exec … {} +` as tests, since their command gets the name
 */
export function foundNames(words: readonly ArgWord[], forExec = false): FoundNames | undefined {
  const first = words.findIndex(
    (word, at) => at > 0 && (word.value === undefined ? word.glob === undefined : /^(?:-|[(!,]$)/.test(word.value)),
  );
  const starts = words.slice(1, first === -1 ? undefined : first);
  const paths = starts.map(({ value, glob }) => value ?? glob ?? "");
  if (starts.some(({ value, glob }) => value === undefined && !/^[A-Za-z0-9_./]/.test(glob ?? ""))) {
    return undefined;
  }
  try {
    const reader = new Reader(first === -1 ? [] : words.slice(first), forExec);
    const listed = reader.read();
    return {
      uses: (paths.length === 0 ? ["."] : paths).map((path) => ({ path, listed })),
      ends: reader.isNul ? "nul" : "line",
    };
  } catch (error) {
    if (error instanceof Unusual) {
      return undefined;
    }
    throw error;
  }
}

class Reader {
  readonly #words: readonly ArgWord[];
  readonly #forExec: boolean;
  #at = 0;
  #depth: number | undefined;
  #printsLine = false;
  /** Whether `-depth` is given: folders are then entered before they are tested. */
  #depthFirst = false;
  /**
   * Whether `-mindepth 2` or more is given, anywhere in the expression: top-level entries are then not tested, so
   * nothing there is pruned.
   */
  #skipsTop = false;
  isNul = false;

  constructor(words: readonly ArgWord[], forExec: boolean) {
    this.#words = words;
    this.#forExec = forExec;
  }

  read(): Listed {
    const all = this.#words.length === 0 ? [ANYTHING] : this.#alternatives();
    if (this.#at < this.#words.length || (this.isNul && this.#printsLine)) {
      throw new Unusual();
    }
    // In `-path x -prune -o …`, nothing below x reaches the rest.
    const [leftmost] = all;
    const pruned = (leftmost?.prunes === true ? (leftmost.exactly ?? []) : []).map(({ of, pattern }): Left =>
      of === "path" ? { of, pattern: `${pattern}/*` } : { of: "below", pattern },
    );
    if ((this.#depthFirst || this.#skipsTop) && all.some(({ prunes }) => prunes)) {
      throw new Unusual();
    }
    const printing = all.some(({ prints }) => prints) ? all.filter(({ prints }) => prints) : all;
    const bounds = either(printing);
    return {
      ...(bounds.names === undefined ? {} : { names: bounds.names }),
      ...(bounds.except.length + pruned.length === 0 ? {} : { except: [...bounds.except, ...pruned] }),
      ...(bounds.regular ? { regular: true as const } : {}),
      ...(this.#depth === undefined ? {} : { depth: Math.max(0, this.#depth - 1) }),
    };
  }

  #next(): string | undefined {
    return this.#words[this.#at]?.value;
  }

  #take(): string {
    const word = this.#words[this.#at];
    this.#at += 1;
    // The shell expands an unquoted pattern to the name it matches, if that is a single one: fewer files than a pattern
    // as simple as this.
    const text = word?.value ?? (/^[\w.-]*\*[\w.-]*$/.test(word?.glob ?? "") ? word?.glob : undefined);
    if (text === undefined) {
      throw new Unusual();
    }
    return text;
  }

  #alternatives(): Bounds[] {
    const found = [this.#all()];
    while (this.#next() === "-o" || this.#next() === "-or") {
      this.#at += 1;
      found.push(this.#all());
    }
    return found;
  }

  #all(): Bounds {
    let bounds = this.#one();
    for (
      let word = this.#next();
      this.#at < this.#words.length && word !== "-o" && word !== "-or" && word !== ")";
      word = this.#next()
    ) {
      if (word === "-a" || word === "-and") {
        this.#at += 1;
      }
      const next = this.#one();
      // A test after an action does not restrict the action.
      bounds = bounds.prints ? { ...bounds, prunes: bounds.prunes || next.prunes } : both(bounds, next);
    }
    return bounds;
  }

  #one(): Bounds {
    const word = this.#take();
    switch (word) {
      case "!":
      case "-not":
        return opposite(this.#one());
      case "(": {
        const inner = this.#alternatives();
        if (this.#take() !== ")" || inner.some(({ prints, prunes }) => prints || prunes)) {
          throw new Unusual();
        }
        return either(inner);
      }
      case "-print":
        this.#printsLine = true;
        return { ...ANYTHING, prints: true };
      case "-print0":
        this.isNul = true;
        return { ...ANYTHING, prints: true };
      case "-prune":
        return { ...ANYTHING, prunes: true };
      case "-exec":
        return this.#exec();
      default:
        return this.#test(word);
    }
  }

  #exec(): Bounds {
    if (!this.#forExec) {
      throw new Unusual();
    }
    const end = this.#words.findIndex(
      (word, at) =>
        at >= this.#at && (word.value === ";" || (word.value === "+" && this.#words[at - 1]?.value === "{}")),
    );
    if (end === -1) {
      throw new Unusual();
    }
    this.#at = end + 1;
    return { ...ANYTHING, prints: true };
  }

  #test(name: string): Bounds {
    const count = Object.hasOwn(TESTS, name) ? TESTS[name] : undefined;
    if (count === undefined) {
      throw new Unusual();
    }
    const value = count === 0 ? "" : this.#take();
    switch (name) {
      case "-name":
        return { ...ANYTHING, names: [value], exactly: [{ of: "name", pattern: value }] };
      case "-iname":
        return { ...ANYTHING, names: [value] };
      case "-path":
      case "-wholename":
        return { ...ANYTHING, exactly: [{ of: "path", pattern: value }] };
      case "-type":
        return { ...ANYTHING, regular: value === "f", ...(value === "d" ? { ofFolders: [] } : {}) };
      case "-depth":
      case "-d":
        this.#depthFirst = true;
        return ANYTHING;
      case "-mindepth":
        this.#skipsTop ||= !/^[01]$/.test(value);
        return ANYTHING;
      case "-maxdepth":
        this.#depth = /^[0-9]+$/.test(value) ? Number(value) : undefined;
        return ANYTHING;
      default:
        return ANYTHING;
    }
  }
}

const ANYTHING: Bounds = { except: [], regular: false, prints: false, prunes: false };

function both(one: Bounds, other: Bounds): Bounds {
  const names = one.names ?? other.names;
  const ofFolders =
    one.ofFolders?.length === 0 ? other.exactly : other.ofFolders?.length === 0 ? one.exactly : undefined;
  // `-path x -prune` prunes exactly x; `-path x -type d` is true for fewer files.
  const exactly = other.prunes ? (one.exactly ?? one.ofFolders) : undefined;
  return {
    ...(names === undefined ? {} : { names }),
    except: [...one.except, ...other.except],
    regular: one.regular || other.regular,
    prints: one.prints || other.prints,
    prunes: one.prunes || other.prunes,
    ...(exactly === undefined ? {} : { exactly }),
    ...(ofFolders === undefined ? {} : { ofFolders }),
  };
}

function either(all: readonly Bounds[]): Bounds {
  const names = all.flatMap((bounds) => bounds.names ?? []);
  const exactly = all.flatMap((bounds) => bounds.exactly ?? []);
  return {
    ...(all.every((bounds) => bounds.names !== undefined) ? { names } : {}),
    except: all.length === 1 ? (all[0]?.except ?? []) : [],
    regular: all.every(({ regular }) => regular),
    prints: all.some(({ prints }) => prints),
    prunes: all.some(({ prunes }) => prunes),
    ...(all.every((bounds) => bounds.exactly !== undefined) ? { exactly } : {}),
  };
}

/** Returns the bounds of a negation: nothing is known except which paths and names it excludes. */
function opposite({ exactly, prints, prunes }: Bounds): Bounds {
  if (prints || prunes) {
    throw new Unusual();
  }
  return { ...ANYTHING, except: exactly ?? [] };
}
