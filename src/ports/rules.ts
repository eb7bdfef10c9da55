/** What a rule says about a call. Deny wins over ask, ask over allow. */
export type RuleDecision = "allow" | "ask" | "deny";

/** One rule of permission, as the user writes it in the settings (docs/permissions.md). */
export interface Rule {
  /** A tool's name, or a glob over names (`context_*`). */
  tool: string;
  /**
   * What the call's values must be, by field: `path` is every file that the call reaches (relative to the workspace,
   * absolute outside it), `command` is every simple command of the line, and any other field the value itself. All of
   * them must match.
   */
  params?: Readonly<Record<string, string>>;
  decision: RuleDecision;
}

/** Where a rule comes from. */
export type RuleSource = "default" | "settings" | "session" | "command line";

/** A rule and its place, as the rules in force are listed. */
export interface PlacedRule {
  /** The rule as far as it can be understood; what is wrong with it is in `broken`. */
  rule: Rule;
  source: RuleSource;
  /** Names it for people: `toolhost.permissions.rules[2]`. */
  place: string;
  /**
   * What is wrong with it, undefined when nothing is. A broken rule allows nothing; one that denies or asks, does so
   * for all that its understood part covers.
   */
  broken?: string;
}

/** The rules beside the defaults: those of the user's settings, and those granted for a session. */
export interface RuleBook {
  /** All that hold for a session. Read at every decision: a setting that changes holds at once. */
  rules(session: string): readonly PlacedRule[];
  /** Grants rules until the session or the window ends. */
  grantForSession(session: string, rules: readonly Rule[]): void;
  /** Writes rules to the user's settings. Throws when they cannot be written. */
  grantAlways(rules: readonly Rule[]): Promise<void>;
  /** Notes that a rule has decided a call, for the list of rules. */
  matched(rule: PlacedRule): void;
}
