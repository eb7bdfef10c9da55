/** What a rule says about a call. Deny wins over ask, ask over allow. */
export type RuleDecision = "allow" | "ask" | "deny";

/** A permission rule, as the user writes it in the settings (docs/permissions.md). */
export interface Rule {
  /** A tool's name, or a glob over names (`context_*`). */
  tool: string;
  /**
   * Patterns for the call's values, by field: `path` is every file that the call reaches (relative to the workspace,
   * absolute outside it), `command` is every simple command of the line, and any other field is the value itself. All
   * of them must match.
   */
  params?: Readonly<Record<string, string>>;
  decision: RuleDecision;
  /**
   * Set for a rule that denies: it is about all reads, or all changes, of files but those that one of the globs matches.
   * A workspace manifest gives such rules; settings cannot.
   */
  beyond?: { access: "read" | "write"; globs: readonly string[] };
}

/** A rule's origin. */
export type RuleSource = "default" | "settings" | "session" | "command line";

/** A rule and its place, as listed among the rules in force. */
export interface PlacedRule {
  /** The rule as far as it could be understood; `broken` describes any problem. */
  rule: Rule;
  source: RuleSource;
  /** The rule's place, for people: `toolhost.permissions.rules[2]`. */
  place: string;
  /**
   * The rule's problem; undefined if it has none. A broken rule allows nothing; if it denies or asks, it applies to
   * everything that its understood part covers.
   */
  broken?: string;
  /** Folders whose names its paths begin with, and where they are in the call's paths (`FolderRules`). */
  folders?: readonly { name: string; at: string }[];
}

/** The rules besides the defaults: those in the user's settings, and those granted for a session. */
export interface RuleBook {
  /** Returns all rules for a session. Read at every decision, so that a changed setting applies immediately. */
  rules(session: string): readonly PlacedRule[];
  /** Grants rules until the session or the window ends. */
  grantForSession(session: string, rules: readonly Rule[]): void;
  /** Writes rules to the user's settings. Throws when they cannot be written. */
  grantAlways(rules: readonly Rule[]): Promise<void>;
  /** Notes that a rule has decided a call, for the list of rules. */
  matched(rule: PlacedRule): void;
}
