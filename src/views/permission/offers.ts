import { ruleKey } from "../../core/permission/rules/words.js";
import type { PlacedRule, Rule } from "../../ports/rules.js";

/** What a person said to an offer. */
export type OfferAnswer = "always" | "session" | "never";

export interface RuleOffersHost {
  /** Whether the user wants offers. */
  isOn(): boolean;
  /** The rules that hold already. */
  rules(session: string): readonly PlacedRule[];
  /**
   * Shows an offer. Resolves when it is answered, closed or no longer in sight; it may be answered later all the same.
   */
  show(rules: readonly Rule[], onAnswer: (answer: OfferAnswer) => void): Promise<void>;
  act(answer: OfferAnswer, session: string, rules: readonly Rule[]): Promise<void>;
}

interface Offer {
  session: string;
  rules: readonly Rule[];
}

/**
 * Offers, after a call that a person allowed, to allow its like from now on. One offer is shown at a time; of those
 * that come meanwhile the newest is next and the others are dropped. Each rule is offered once a session.
 */
export class RuleOffers {
  readonly #host: RuleOffersHost;
  readonly #offered = new Set<string>();
  #showing = false;
  #next: Offer | undefined;

  constructor(host: RuleOffersHost) {
    this.#host = host;
  }

  /** Never throws and never waits: the call is done. */
  offer(session: string, derived: readonly Rule[]): void {
    const rules = this.#unknown(session, derived);
    if (rules.length === 0 || !this.#host.isOn()) {
      return;
    }
    this.#next = { session, rules };
    if (!this.#showing) {
      void this.#showAll();
    }
  }

  async #showAll(): Promise<void> {
    this.#showing = true;
    try {
      while (this.#next !== undefined) {
        const { session, rules } = this.#next;
        this.#next = undefined;
        // Another offer or the settings may have made it a rule meanwhile.
        const left = this.#host.isOn() ? this.#unknown(session, rules) : [];
        if (left.length > 0) {
          await this.#show(session, left);
        }
      }
    } finally {
      this.#showing = false;
    }
  }

  async #show(session: string, rules: readonly Rule[]): Promise<void> {
    rules.forEach((rule) => this.#offered.add(offerKey(session, rule)));
    // What cannot be acted on (settings that cannot be written), the host tells.
    const act = (answer: OfferAnswer): void => void this.#host.act(answer, session, rules).catch(() => undefined);
    // A window that closes shows nothing.
    await this.#host.show(rules, act).catch(() => undefined);
  }

  /** Those of some rules that neither hold already nor were offered before. */
  #unknown(session: string, rules: readonly Rule[]): Rule[] {
    const known = new Set(this.#host.rules(session).map(({ rule }) => ruleKey(rule)));
    return rules.filter((rule) => !known.has(ruleKey(rule)) && !this.#offered.has(offerKey(session, rule)));
  }
}

function offerKey(session: string, rule: Rule): string {
  return `${session}\0${ruleKey(rule)}`;
}
