import type { PlacedRule, Rule, RuleBook } from "../../../ports/rules.js";
import { isAbsolutePattern, pathPattern, underFolder } from "./patterns.js";

/**
 * The user's rules for callers that see one folder of a workspace with several: rules begin paths with the folder's name,
 * and these callers' paths are relative to it. What they grant applies to this folder alone.
 */
export class FolderRules implements RuleBook {
  readonly #whole: RuleBook;
  readonly #folder: string;
  /** By rule of the whole workspace, the same objects; undefined for a rule about other folders. */
  readonly #seen = new WeakMap<PlacedRule, PlacedRule | undefined>();

  /** @param folder the folder's name in rules */
  constructor(whole: RuleBook, folder: string) {
    this.#whole = whole;
    this.#folder = folder;
  }

  rules(session: string): readonly PlacedRule[] {
    return this.#whole.rules(session).flatMap((rule) => this.#rule(rule) ?? []);
  }

  grantForSession(session: string, rules: readonly Rule[]): void {
    this.#whole.grantForSession(
      session,
      rules.map((rule) => this.#granted(rule)),
    );
  }

  grantAlways(rules: readonly Rule[]): Promise<void> {
    return this.#whole.grantAlways(rules.map((rule) => this.#granted(rule)));
  }

  matched(rule: PlacedRule): void {
    this.#whole.matched(rule);
  }

  #rule(placed: PlacedRule): PlacedRule | undefined {
    if (!this.#seen.has(placed)) {
      const path = placed.rule.params?.["path"];
      const isElsewhere = path !== undefined && underFolder(pathPattern(path), this.#folder) === undefined;
      this.#seen.set(placed, isElsewhere ? undefined : { ...placed, folder: this.#folder });
    }
    return this.#seen.get(placed);
  }

  #granted(rule: Rule): Rule {
    const path = rule.params?.["path"];
    return path === undefined || isAbsolutePattern(path)
      ? rule
      : // A name's own stars are not a pattern.
        { ...rule, params: { ...rule.params, path: `${this.#folder.replaceAll(/[*?[{]/g, "[$&]")}/${path}` } };
  }
}
