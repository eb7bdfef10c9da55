import type { PlacedRule, Rule, RuleBook } from "../../../ports/rules.js";
import { ruleKey } from "./words.js";

/** Maximum number of sessions whose grants are kept. A forgotten one is asked again. Those that are denied something are never forgotten. */
const MAX_SESSIONS = 100;

/** Where rules that outlive a session are stored. */
export interface RuleStore {
  /** Returns the current rules; the same objects until they change. */
  rules(): readonly PlacedRule[];
  /** Adds rules. Throws if they cannot be written. */
  add(rules: readonly Rule[]): Promise<void>;
}

/** The rules in force, stored or granted for a session (kept in memory), and when each last decided a call. */
export class Rules implements RuleBook {
  readonly #kept: RuleStore;
  readonly #now: () => number;
  readonly #onChange: () => void;
  /** By session, the one with the latest grant last. */
  readonly #granted = new Map<string, PlacedRule[]>();
  /**
   * The time when a rule last decided a call, in ms since 1970, by place and text: an edited rule is a different one.
   */
  readonly #matched = new Map<string, number>();

  /**
   * @param now milliseconds since 1970
   * @param onChange called when a rule was granted for a session or revoked, or has decided a call
   */
  constructor(kept: RuleStore, now: () => number, onChange = (): void => undefined) {
    this.#kept = kept;
    this.#now = now;
    this.#onChange = onChange;
  }

  rules(session: string): readonly PlacedRule[] {
    return [...this.#kept.rules(), ...(this.#granted.get(session) ?? [])];
  }

  /** Returns all rules, including those granted for any session, for listing them. */
  all(): readonly PlacedRule[] {
    return [...this.#kept.rules(), ...[...this.#granted.values()].flat()];
  }

  grantForSession(session: string, rules: readonly Rule[]): void {
    const before = this.#granted.get(session) ?? [];
    const known = new Set(before.map(({ rule }) => ruleKey(rule)));
    const added = rules.filter((rule) => !known.has(ruleKey(rule)));
    this.#granted.delete(session);
    this.#granted.set(session, [
      ...before,
      ...added.map((rule): PlacedRule => ({ rule, source: "session", place: "this session" })),
    ]);
    const [oldest] =
      [...this.#granted].find(([, granted]) => granted.every(({ rule }) => rule.decision === "allow")) ?? [];
    if (this.#granted.size > MAX_SESSIONS && oldest !== undefined) {
      this.#granted.delete(oldest);
    }
    this.#onChange();
  }

  /** Revokes a rule granted for a session, whatever session it was granted in. */
  revoke(rule: PlacedRule): void {
    for (const [session, rules] of this.#granted) {
      this.#granted.set(
        session,
        rules.filter((each) => each !== rule),
      );
    }
    this.#onChange();
  }

  grantAlways(rules: readonly Rule[]): Promise<void> {
    return this.#kept.add(rules);
  }

  matched(rule: PlacedRule): void {
    this.#matched.set(keyOf(rule), this.#now());
    this.#onChange();
  }

  /**
   * Returns the time when a rule last decided a call, in ms since 1970; undefined if it has not decided any since the
   * window opened.
   */
  lastMatched(rule: PlacedRule): number | undefined {
    return this.#matched.get(keyOf(rule));
  }
}

function keyOf({ place, rule }: PlacedRule): string {
  return `${place}\n${ruleKey(rule)}`;
}
