import type { PlacedRule, Rule, RuleBook } from "../../../ports/rules.js";
import { matchesText } from "./patterns.js";

/** The param with which a rule names a sandbox. */
const SANDBOX = "sandbox";

/**
 * The user's rules for calls in a sandbox: those that deny or ask, and of those that allow only the ones that name it. What
 * they grant applies to this sandbox alone.
 */
export class SandboxRules implements RuleBook {
  readonly #whole: RuleBook;
  readonly #name: string;
  /** By rule of the user's: the same objects until those change. */
  readonly #seen = new WeakMap<PlacedRule, PlacedRule | "none">();

  /** @param name the sandbox's, as rules have it */
  constructor(whole: RuleBook, name: string) {
    this.#whole = whole;
    this.#name = name;
  }

  rules(session: string): readonly PlacedRule[] {
    return this.#whole.rules(session).flatMap((placed) => {
      const seen = this.#seen.get(placed) ?? this.#rule(placed);
      this.#seen.set(placed, seen);
      return seen === "none" ? [] : [seen];
    });
  }

  grantForSession(session: string, rules: readonly Rule[]): void {
    this.#whole.grantForSession(
      session,
      rules.map((rule) => this.granted(rule)),
    );
  }

  grantAlways(rules: readonly Rule[]): Promise<void> {
    return this.#whole.grantAlways(rules.map((rule) => this.granted(rule)));
  }

  matched(rule: PlacedRule): void {
    this.#whole.matched(rule);
  }

  /** Returns a rule as it is granted: for this sandbox alone. */
  granted(rule: Rule): Rule {
    return { ...rule, params: { ...rule.params, [SANDBOX]: this.#name } };
  }

  #rule(placed: PlacedRule): PlacedRule | "none" {
    const { [SANDBOX]: named, ...params } = placed.rule.params ?? {};
    if (named === undefined) {
      return placed.rule.decision === "allow" ? "none" : placed;
    }
    if (!matchesText(named, this.#name)) {
      return "none";
    }
    const { params: _, ...rule } = placed.rule;
    return { ...placed, rule: Object.keys(params).length === 0 ? rule : { ...rule, params } };
  }
}
