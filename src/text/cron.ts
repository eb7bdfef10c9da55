/** A field of a cron expression. */
interface CronField {
  name: string;
  from: number;
  to: number;
  /** Names of the values, starting at `from`. */
  names?: readonly string[];
}

const FIELDS: readonly CronField[] = [
  { name: "minute", from: 0, to: 59 },
  { name: "hour", from: 0, to: 23 },
  { name: "day of month", from: 1, to: 31 },
  {
    name: "month",
    from: 1,
    to: 12,
    names: ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"],
  },
  // 7 is Sunday, too.
  { name: "day of week", from: 0, to: 7, names: ["sun", "mon", "tue", "wed", "thu", "fri", "sat"] },
];
/** Days of each month, in a leap year. */
const LAST_DAYS = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
/** Maximum characters of an expression; every schedule can be written in fewer. */
const MAX_LENGTH = 200;

/**
 * Returns the problem with a cron expression of five fields (POSIX crontab, with steps and names as in Vixie cron);
 * undefined if it is valid. It completes a sentence: `has 3 fields; …`. An expression that no date matches (30
 * February) is invalid, too.
 */
export function cronProblem(expression: string): string | undefined {
  const read = readCron(expression);
  return typeof read === "string" ? read : undefined;
}

/**
 * A parsed cron expression: the values of each of its five fields, and whether a day must match both day fields or just
 * one.
 */
export interface CronFields {
  values: readonly (readonly number[])[];
  /**
   * Whether a day must match both day fields, as in Vixie cron: true if one of them begins with `*`. Otherwise matching
   * one is enough.
   */
  bothDays: boolean;
}

/** @returns the parsed expression, or its problem as in `cronProblem` */
export function readCron(expression: string): CronFields | string {
  if (expression.length > MAX_LENGTH) {
    return `has ${expression.length} characters; ${MAX_LENGTH} at most`;
  }
  const parts = expression.trim().split(/[ \t]+/);
  if (expression.trim() === "" || parts.length !== FIELDS.length) {
    return `has ${expression.trim() === "" ? 0 : parts.length} fields; it needs 5: minute, hour, day of month, month, day of week`;
  }
  const values: number[][] = [];
  for (const [index, field] of FIELDS.entries()) {
    const read = fieldValues(parts[index] ?? "", field);
    if (typeof read === "string") {
      return `${field.name}: ${read}`;
    }
    values.push(read);
  }
  const [, , days = [], months = []] = values;
  // A restricted day of the week is an alternative way for a date to match (POSIX).
  const isFree = (index: number): boolean => parts[index]?.startsWith("*") ?? false;
  // If a day must match both fields, it must also occur in one of the months.
  const fits =
    (!isFree(4) && !isFree(2)) || months.some((month) => days.some((day) => day <= (LAST_DAYS[month - 1] ?? 0)));
  return fits ? { values, bothDays: isFree(2) || isFree(4) } : "never matches: none of its months has such a day";
}

/** Returns a field's values, or the problem with it. */
function fieldValues(text: string, field: CronField): number[] | string {
  const values: number[] = [];
  for (const part of text.split(",")) {
    const [, range = "", step] = /^(\*|[a-z0-9]+(?:-[a-z0-9]+)?)(?:\/(\d{1,4}))?$/i.exec(part) ?? [];
    const [first = "", last = first] = range.split("-");
    const [from, to] =
      range === "*"
        ? [field.from, field.to]
        : [valueOf(first, field), step !== undefined && !range.includes("-") ? field.to : valueOf(last, field)];
    if (range === "" || from === undefined || to === undefined) {
      return `${JSON.stringify(part)} is not ${field.from} to ${field.to}${field.names === undefined ? "" : ", a name"}, a range, a list or a step`;
    }
    if (from > to) {
      return `${JSON.stringify(part)} ends before it begins`;
    }
    if (step !== undefined && Number(step) === 0) {
      return `${JSON.stringify(part)} has a step of 0`;
    }
    for (let value = from; value <= to; value += Number(step ?? 1)) {
      values.push(value);
    }
  }
  return values;
}

function valueOf(text: string, { from, to, names = [] }: CronField): number | undefined {
  const named = names.indexOf(text.toLowerCase());
  const value = named >= 0 ? named + from : /^\d{1,2}$/.test(text) ? Number(text) : Number.NaN;
  return value >= from && value <= to ? value : undefined;
}
