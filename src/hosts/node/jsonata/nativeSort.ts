import type jsonata from "jsonata";
import { isRecord } from "../../../core/jsonSchema.js";

/** A node of a compiled expression, as far as it is used here. */
type Node = Record<string, unknown>;

/** A JSONata function as it is in an array: what it is evaluated on can be set before each call. */
interface Lambda {
  input: unknown;
  apply(self: undefined, parameters: readonly unknown[]): Promise<unknown>;
}

/** Names that no expression can contain, because of the blank. */
const SORTED = " sorted";
/** `$sort` by keys. */
const SORT = " sort";
/** The same for a step of a path. */
const ORDER = " order";
const EXISTS = " exists";

/** JSONata's codes for keys that cannot be sorted by, which it turns into messages. */
const NO_KEY = "T2008";
const MIXED_KEYS = "T2007";
const NO_ORDER = "D3070";

/**
 * Makes an expression sort in time: JSONata's own sort evaluates the keys again for every comparison and copies the rest
 * of the list for every entry, so that 30,000 entries take gigabytes. `^(…)` and `$sort` with a comparison of one key
 * evaluate each key once, then the engine sorts. The order is the same: stable, entries without a key last.
 *
 * A step `^(…)` of a path becomes a block: `($sorted := $sort(path before, keys); $sorted.path after)`. Paths that bind
 * positions, contexts or parents (`#`, `@`, `%`) keep JSONata's sort.
 */
export function sortNatively(compiled: jsonata.Expression): void {
  const ast: unknown = compiled.ast();
  if (isRecord(ast)) {
    // The expression keeps this very object, so its content is replaced.
    const rewritten = rewrite(ast) as Node;
    if (rewritten !== ast) {
      Object.keys(ast).forEach((name) => delete ast[name]);
      Object.assign(ast, rewritten);
    }
  }
  compiled.registerFunction(SORT, async (list, lambdas, given, ...picks) => {
    const sorted = await sortByKeys(list, lambdas, given);
    return picks.length === 0 ? sorted : sequenceOf((picks as number[][]).reduce(pick, sorted));
  });
  compiled.registerFunction(ORDER, async (list, lambdas, given, ...picks) =>
    sequenceOf((picks as number[][]).reduce(pick, await sortByKeys(list, lambdas, given))),
  );
  compiled.registerFunction(EXISTS, (value: unknown) => value !== undefined);
  compiled.registerFunction("sort", sortList, "<af?:a>");
}

function rewrite(node: unknown): unknown {
  if (Array.isArray(node)) {
    node.forEach((item: unknown, index) => (node[index] = rewrite(item)));
    return node;
  }
  if (!isRecord(node) || node instanceof RegExp) {
    return node;
  }
  for (const [name, value] of Object.entries(node)) {
    node[name] = rewrite(value);
  }
  return node.type === "path" ? pathOf(node) : node.type === "function" ? callOf(node) : node;
}

function pathOf(path: Node): Node {
  const steps = path.steps as Node[];
  const at = steps.findLastIndex(({ type }) => type === "sort");
  const sort = steps[at];
  if (at < 1 || sort === undefined || bindsMore(path)) {
    return path;
  }
  const { position, terms, stages } = sort as {
    position: number;
    terms: { descending: boolean; expression: Node }[];
    stages?: Node[];
  };
  const before = pathOf({ type: "path", steps: steps.slice(0, at), keepArray: true });
  const { picks, rest } = splitStages(stages);
  const sorted = { type: "variable", value: SORTED, position, ...(rest.length === 0 ? {} : { stages: rest }) };
  return {
    type: "block",
    position,
    expressions: [
      {
        type: "bind",
        value: ":=",
        position,
        lhs: { type: "variable", value: SORTED, position },
        rhs: callTo(ORDER, [...sortArguments(before, terms, position), ...picks], position),
      },
      {
        type: "condition",
        position,
        condition: callTo(EXISTS, [{ type: "variable", value: SORTED, position }], position),
        then: { ...path, steps: [sorted, ...steps.slice(at + 1)] },
        // Groups of nothing are an empty object.
        ...(path.group === undefined ? {} : { else: { type: "unary", value: "{", position, lhs: [] } }),
      },
    ],
  };
}

/**
 * Splits the filters behind a sort. JSONata evaluates one for every entry, of which those by fixed positions in front
 * (`[[0..9]]`) need no evaluation.
 *
 * @returns the lists of positions, and what is left
 */
function splitStages(stages: readonly Node[] = []): { picks: Node[]; rest: readonly Node[] } {
  const end = stages.findIndex(({ type, expr }) => type !== "filter" || !isListOfPositions(expr as Node));
  const picks = end === -1 ? stages : stages.slice(0, end);
  return { picks: picks.map(({ expr }) => expr as Node), rest: stages.slice(picks.length) };
}

/** Whether a node is a list of written numbers and ranges of these. */
function isListOfPositions({ type, value, expressions }: Node): boolean {
  return (
    type === "unary" &&
    value === "[" &&
    (expressions as Node[]).every(
      (each) =>
        isNumber(each) || (each.type === "binary" && each.value === ".." && [each.lhs, each.rhs].every(isNumber)),
    )
  );
}

function isNumber(node: unknown): boolean {
  // One with a minus is one, too.
  return (node as Node).type === "number";
}

/** Whether a path binds variables to its entries or refers to their parents, which a sort of values would lose. */
function bindsMore(path: Node): boolean {
  return /"(?:tuple|focus|index|ancestor|seekingParent)":|"type":"parent"/.test(JSON.stringify(path));
}

/** Rewrites `$sort(list, function($a, $b) { $a.key > $b.key })`. */
function callOf(call: Node): Node {
  const [list, comparison, ...more] = call.arguments as Node[];
  const { value, type } = call.procedure as Node;
  if (
    type !== "variable" ||
    value !== "sort" ||
    comparison?.type !== "lambda" ||
    list === undefined ||
    more.length > 0
  ) {
    return call;
  }
  const names = (comparison.arguments as Node[]).map((argument) => argument.value);
  const body = comparison.body as Node;
  const [left, right] = [body.lhs, body.rhs] as [Node | undefined, Node | undefined];
  const [first, ...key] = (left?.steps ?? []) as Node[];
  const [second, ...other] = (right?.steps ?? []) as Node[];
  const isOfOneKey =
    body.type === "binary" &&
    (body.value === ">" || body.value === "<") &&
    key.length > 0 &&
    names.length === 2 &&
    [first, second].every((step, index) => isPlainVariable(step) && step?.value === names[index]) &&
    shape(key) === shape(other) &&
    key.every(({ type }) => type === "name") &&
    !bindsMore(body);
  if (!isOfOneKey) {
    return call;
  }
  const position = call.position as number;
  const terms = [{ descending: body.value === "<", expression: { type: "path", steps: key } }];
  const { predicate, ...plain } = call;
  const { picks, rest } = splitStages(predicate as Node[] | undefined);
  return {
    ...plain,
    ...callTo(SORT, [...sortArguments(list, terms, position), ...picks], position),
    ...(rest.length === 0 ? {} : { predicate: rest }),
  };
}

function isPlainVariable(step: Node | undefined): boolean {
  return step?.type === "variable" && step.stages === undefined && step.predicate === undefined;
}

/** Returns a node's shape without the positions in the expression. */
function shape(node: unknown): string {
  return JSON.stringify(node, (name, value: unknown) => (name === "position" ? undefined : value));
}

function callTo(name: string, given: readonly Node[], position: number): Node {
  return {
    type: "function",
    value: "(",
    position,
    procedure: { type: "variable", value: name, position },
    arguments: given,
  };
}

function sortArguments(
  list: Node,
  terms: readonly { descending: boolean; expression: Node }[],
  position: number,
): Node[] {
  return [
    list,
    {
      type: "unary",
      value: "[",
      position,
      expressions: terms.map(({ expression }) => ({ type: "lambda", arguments: [], position, body: expression })),
    },
    // A text, since nothing in the expression may evaluate it.
    {
      type: "string",
      position,
      value: JSON.stringify(
        terms.map(({ descending, expression }): Term => ({ descending, name: fieldOf(expression), position })),
      ),
    },
  ];
}

interface Term {
  descending: boolean;
  /** The field that is the key; null if the key is another expression. */
  name: string | null;
  position: number;
}

function fieldOf({ type, steps, keepArray, group }: Node): string | null {
  const [step, ...more] = (steps ?? []) as Node[];
  const isField =
    type === "path" &&
    more.length === 0 &&
    step?.type === "name" &&
    [keepArray, group, step.stages, step.predicate].every((extra) => extra === undefined);
  return isField ? (step.value as string) : null;
}

async function sortByKeys(list: unknown, lambdas: unknown, given: unknown): Promise<unknown[] | undefined> {
  if (list === undefined) {
    return undefined;
  }
  const terms = JSON.parse(given as string) as Term[];
  const entries = Array.isArray(list) ? (list as unknown[]) : [list];
  // A column for each key: objects for each entry would take twice the time and the memory.
  const columns: unknown[][] = [];
  for (const [index, { name }] of terms.entries()) {
    const column = new Array<unknown>(entries.length);
    for (const [at, entry] of entries.entries()) {
      const field = name !== null && isRecord(entry) && Object.hasOwn(entry, name) ? entry[name] : undefined;
      column[at] =
        typeof field === "string" || typeof field === "number"
          ? field
          : await keyOf((lambdas as Lambda[])[index], entry);
    }
    columns.push(column);
  }
  const order = Uint32Array.from(entries.keys()).sort((one, other) => compare(columns, terms, one, other));
  return Array.from(order, (at) => entries[at]);
}

async function keyOf(lambda: Lambda | undefined, entry: unknown): Promise<unknown> {
  if (lambda === undefined) {
    return undefined;
  }
  lambda.input = entry;
  return lambda.apply(undefined, []);
}

/** Compares two entries by their keys; `first` and `second` are their positions in the columns. */
function compare(
  columns: readonly (readonly unknown[])[],
  terms: readonly Term[],
  first: number,
  second: number,
): number {
  for (let index = 0; index < terms.length; index++) {
    const one = columns[index]?.[first];
    const other = columns[index]?.[second];
    if (one === undefined || other === undefined) {
      if (one === other) {
        continue;
      }
      return one === undefined ? 1 : -1;
    }
    const { descending, position } = terms[index] as Term;
    if (typeof one === "number" && typeof other === "number") {
      if (one !== other) {
        return one < other !== descending ? -1 : 1;
      }
      continue;
    }
    const bad = [one, other].find((key) => typeof key !== "string" && typeof key !== "number");
    if (bad !== undefined) {
      throw failure({ code: NO_KEY, position, value: bad });
    }
    if (typeof one !== typeof other) {
      throw failure({ code: MIXED_KEYS, position, value: one, value2: other });
    }
    if (one !== other) {
      return (one as string) < (other as string) !== descending ? -1 : 1;
    }
  }
  return 0;
}

/** Returns an error in the form of JSONata's own, which it completes with the message of its code. */
function failure(fields: {
  code: string;
  position?: number;
  index?: number;
  value?: unknown;
  value2?: unknown;
}): Error {
  return Object.assign(new Error(fields.code), fields);
}

/** Returns the entries at positions, as JSONata's filter does: in the list's order; below 0 they count from the end. */
function pick(list: readonly unknown[] | undefined, positions: readonly number[]): unknown[] | undefined {
  if (list === undefined) {
    return undefined;
  }
  const times = new Map<number, number>();
  for (const position of positions) {
    const at = Math.floor(position) + (position < 0 ? list.length : 0);
    times.set(at, (times.get(at) ?? 0) + 1);
  }
  const found = [...times.entries()]
    .filter(([at]) => at >= 0 && at < list.length)
    .sort(([one], [other]) => one - other)
    .flatMap(([at, count]) => Array.from({ length: count }, () => list[at]));
  return found.length === 0 ? undefined : found;
}

/** Marks a list as one of several results, as JSONata does; a single one is then given without the list. */
function sequenceOf(list: unknown[] | undefined): unknown[] | undefined {
  return list && Object.defineProperty(list, "sequence", { enumerable: false, value: true });
}

/** Implements `$sort` for a list of numbers or texts, or with a comparison that tells whether to exchange two entries. */
async function sortList(
  list: unknown[] | undefined,
  comparison?: (a: unknown, b: unknown) => Promise<unknown>,
): Promise<unknown> {
  if (list === undefined || list.length <= 1) {
    return list;
  }
  if (comparison !== undefined) {
    return mergeSort(list, comparison);
  }
  if (!["number", "string"].some((type) => list.every((entry) => typeof entry === type))) {
    throw failure({ code: NO_ORDER, index: 1 });
  }
  return [...list].sort((a, b) => ((a as string) < (b as string) ? -1 : (a as string) > (b as string) ? 1 : 0));
}

/** Sorts, stably, by a comparison that has to be waited for. */
async function mergeSort(
  list: readonly unknown[],
  isAfter: (a: unknown, b: unknown) => Promise<unknown>,
): Promise<unknown[]> {
  let sorted = [...list];
  for (let size = 1; size < sorted.length; size *= 2) {
    const merged: unknown[] = [];
    for (let start = 0; start < sorted.length; start += 2 * size) {
      const middle = Math.min(start + size, sorted.length);
      const end = Math.min(start + 2 * size, sorted.length);
      let [left, right] = [start, middle];
      while (left < middle && right < end) {
        merged.push((await isAfter(sorted[left], sorted[right])) === true ? sorted[right++] : sorted[left++]);
      }
      merged.push(...sorted.slice(left, middle), ...sorted.slice(right, end));
    }
    sorted = merged;
  }
  return sorted;
}
