/** Why a text is not valid CSV, and where. */
export class CsvError extends Error {
  /** @param line 1-based, in the text */
  constructor(
    message: string,
    readonly line: number,
  ) {
    super(message);
  }
}

/**
 * Parses the records of a CSV text (RFC 4180): fields in double quotes may contain separators, line endings and doubled
 * quotes. Accepts any line ending and skips empty lines. In a field that does not begin with a quote, quotes are
 * ordinary characters.
 *
 * @throws CsvError if a quoted field is not closed, or something follows its closing quote
 */
export function csvRecords(text: string, separator: "," | ";" | "\t"): string[][] {
  const records: string[][] = [];
  let record: string[] = [];
  let line = 1;
  // A byte order mark belongs to the file, not to the first name.
  for (let at = text.startsWith("\uFEFF") ? 1 : 0; at < text.length;) {
    const field = text[at] === '"' ? quotedField(text, at, line) : plainField(text, at, separator);
    record.push(field.value);
    line += field.lines;
    at = field.end;
    const next = text[at];
    if (next === separator) {
      at++;
      if (at < text.length) {
        continue;
      }
      record.push("");
    } else if (next !== undefined && next !== "\n" && next !== "\r") {
      throw new CsvError(`a closing quote is followed by ${JSON.stringify(next)} instead of a separator`, line);
    }
    at += next === "\r" && text[at + 1] === "\n" ? 2 : at < text.length ? 1 : 0;
    line++;
    if (record.length > 1 || record[0] !== "") {
      records.push(record);
    }
    record = [];
  }
  return records;
}

/** A column renamed because an earlier one has the same name. */
export interface RenamedColumn {
  /** 1-based. */
  column: number;
  given: string;
  /** Its new name. */
  name: string;
}

/**
 * Parses the records after the first as objects, with keys from the first. A column without a name is `column_<n>`; a
 * repeated name gets `_2`, or the next number that no other column uses, so that no value is lost. Fields missing from
 * a short record are absent.
 *
 * @throws CsvError like `csvRecords`
 */
export function csvObjects(
  text: string,
  separator: "," | ";" | "\t",
): { objects: Record<string, string>[]; renamed: RenamedColumn[] } {
  const [first = [], ...rest] = csvRecords(text, separator);
  const width = rest.reduce((most, { length }) => Math.max(most, length), first.length);
  const names = uniqueNames([...first, ...Array.from({ length: width - first.length }, () => "")]);
  const renamed = first.flatMap((given, index): RenamedColumn[] => {
    const name = names[index] ?? given;
    return given.trim() === "" || given === name ? [] : [{ column: index + 1, given, name }];
  });
  return {
    objects: rest.map((record) => Object.fromEntries(record.map((value, index) => [names[index] ?? "", value]))),
    renamed,
  };
}

interface Field {
  value: string;
  /** Index after it. */
  end: number;
  /** Line endings in it. */
  lines: number;
}

function plainField(text: string, from: number, separator: string): Field {
  let end = from;
  while (end < text.length && text[end] !== separator && text[end] !== "\n" && text[end] !== "\r") {
    end++;
  }
  return { value: text.slice(from, end), end, lines: 0 };
}

function quotedField(text: string, from: number, line: number): Field {
  for (let end = text.indexOf('"', from + 1); end >= 0; end = text.indexOf('"', end + 2)) {
    if (text[end + 1] !== '"') {
      const inner = text.slice(from + 1, end);
      return { value: inner.replaceAll('""', '"'), end: end + 1, lines: inner.split("\n").length - 1 };
    }
  }
  throw new CsvError("a quoted field is not closed", line);
}

/** Makes names unique. A name that occurs only once is kept, whatever the others become. */
function uniqueNames(names: readonly string[]): string[] {
  const given = new Set(names);
  const taken = new Set<string>();
  return names.map((own, index) => {
    const isBlank = own.trim() === "";
    const name = isBlank ? `column_${index + 1}` : own;
    let unique = name;
    for (let count = 2; taken.has(unique) || (given.has(unique) && (isBlank || unique !== own)); count++) {
      unique = `${name}_${count}`;
    }
    taken.add(unique);
    return unique;
  });
}
