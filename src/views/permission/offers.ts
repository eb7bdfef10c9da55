import { ruleKey } from "../../core/permission/rules/words.js";
import type { PlacedRule, Rule } from "../../ports/rules.js";

/** The user's answer to an offer. */
export type OfferAnswer = "always" | "session" | "never";

export interface RuleOffersHost {
  /** Whether the user wants offers. */
  isOn(): boolean;
  /** Returns the rules already in force. */
  rules(session: string): readonly PlacedRule[];
  /** Shows an offer. Resolves when it is answered, closed or hidden; a hidden one can still be answered later. */
  show(rules: readonly Rule[], onAnswer: (answer: OfferAnswer) => void): Promise<void>;
  act(answer: OfferAnswer, session: string, rules: readonly Rule[]): Promise<void>;
}

interface Offer {
  session: string;
  rules: readonly Rule[];
}

/**
 * After a call that the user allowed, offers a rule that allows similar calls. Shows one offer at a time; of those that
 * arrive meanwhile, only the newest is kept. Each rule is offered once per session.
 */
export class RuleOffers {
  readonly #host: RuleOffersHost;
  readonly #offered = new Set<string>();
  #showing = false;
  #next: Offer | undefined;

  constructor(host: RuleOffersHost) {
    this.#host = host;
  }

  /** Queues an offer. Never throws or waits: the call is done. */
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
        // Another offer or the settings may have added the rule in the meantime.
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
    // The host itself reports failures, such as settings that cannot be written.
    const act = (answer: OfferAnswer): void => void this.#host.act(answer, session, rules).catch(() => undefined);
    // Showing fails if the window is closing.
    await this.#host.show(rules, act).catch(() => undefined);
  }

  /** Returns the rules that are neither in force nor offered before. */
  #unknown(session: string, rules: readonly Rule[]): Rule[] {
    const known = new Set(this.#host.rules(session).map(({ rule }) => ruleKey(rule)));
    return rules.filter((rule) => !known.has(ruleKey(rule)) && !this.#offered.has(offerKey(session, rule)));
  }
}

function offerKey(session: string, rule: Rule): string {
  return `${session}\0${ruleKey(rule)}`;
}
