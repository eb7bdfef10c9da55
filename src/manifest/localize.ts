import { isRecord } from "../core/jsonSchema.js";

/** The points of `contributes` that have texts for people. What a model reads stays as it is. */
const POINTS = [
  ...["chatParticipants", "commands", "configuration", "languageModelChatProviders", "languageModelTools"],
  ...["views", "viewsWelcome", "walkthroughs"],
];
/** Fields that hold such texts, wherever they are in these points. */
const TEXTS = new Set([
  ...["altText", "contents", "contextualTitle", "deprecationMessage", "description", "displayName", "label"],
  ...["enumDescriptions", "enumItemLabels", "markdownDescription", "title", "userDescription"],
]);
/** Fields that name an entry of a list, in the keys of its texts. */
const IDS = ["id", "command", "vendor", "view", "name"];
/** Fields below which nothing is for people: schemas for models, and the extension's own names. */
const APART = new Set(["inputSchema", "body"]);

/** Contributions with keys in place of their texts, and the texts by key: what `package.nls.json` holds. */
export interface Localized {
  contributes: Record<string, unknown>;
  texts: Record<string, string>;
}

/** Moves the texts for people out of contributions, so that they can be translated (`package.nls.<language>.json`). */
export function localize(contributes: object): Localized {
  const texts: Record<string, string> = {};
  const keyOf = (path: readonly string[], text: string): string => {
    const wanted = path.join(".").replaceAll("toolhost.", "");
    let key = wanted;
    for (let number = 2; texts[key] !== undefined && texts[key] !== text; number++) {
      key = `${wanted}.${number}`;
    }
    texts[key] = text;
    return `%${key}%`;
  };
  const walk = (value: unknown, path: readonly string[], isText: boolean): unknown => {
    if (typeof value === "string") {
      return isText && value !== "" ? keyOf(path, value) : value;
    }
    if (Array.isArray(value)) {
      return value.map((each, index) => walk(each, [...path, nameOf(each) ?? String(index)], isText));
    }
    if (!isRecord(value)) {
      return value;
    }
    return Object.fromEntries(
      Object.entries(value).map(([field, each]) => [
        field,
        APART.has(field)
          ? each
          : walk(each, [...path, field], TEXTS.has(field) || (path[0] === "views" && field === "name")),
      ]),
    );
  };
  return {
    contributes: Object.fromEntries(
      Object.entries(contributes).map(([point, value]) => [
        point,
        POINTS.includes(point) ? walk(value, [point], false) : (value as unknown),
      ]),
    ),
    texts,
  };
}

function nameOf(entry: unknown): string | undefined {
  const id = isRecord(entry) ? IDS.map((field) => entry[field]).find((each) => typeof each === "string") : undefined;
  return typeof id === "string" ? id : undefined;
}
