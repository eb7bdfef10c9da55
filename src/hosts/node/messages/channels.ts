import { readChannels, type Channel } from "../../../features/messages/channelSettings.js";
import { findSecrets } from "../../../features/messages/template.js";
import { ToolError } from "../../../core/errors.js";
import type { Delivery, Messages } from "../../../ports/messages.js";
import { excerpt } from "../../../text/clip.js";
import { nearestNames } from "../../../text/nearest.js";

/** The address of this window's notifications. */
const WINDOW = "window:";

export interface ChannelMessagesOptions {
  /** The channels as the user wrote them, unchecked. Read for every message, so that changes apply immediately. */
  setting: () => unknown;
  /** The setting's name, for people. */
  place: string;
  secret(name: string): Promise<string | undefined>;
  /** A sentence that says how to set a secret. */
  secretAdvice: (name: string) => string;
  /** Shows a message in this window; absent if there is no window. */
  show?: (content: string) => void;
  /** How long to wait for a server, in ms. */
  timeout?: number;
}

/** Sends messages to this window, and by HTTP to the channels in the user's settings. */
export class ChannelMessages implements Messages {
  readonly #options: ChannelMessagesOptions;

  constructor(options: ChannelMessagesOptions) {
    this.#options = options;
  }

  addresses(): { addresses: readonly string[]; problems: readonly string[] } {
    const { channels, problems } = this.#read();
    return {
      addresses: [...(this.#options.show === undefined ? [] : [WINDOW]), ...channels.map(({ address }) => address)],
      problems: problems.map(({ message }) => message),
    };
  }

  originOf(address: string): string | undefined {
    return this.#isWindow(address) ? undefined : this.#channel(address).origin;
  }

  async send(address: string, content: string, signal: AbortSignal): Promise<Delivery> {
    if (this.#isWindow(address)) {
      this.#options.show?.(content);
      return { status: undefined, answer: "" };
    }
    const channel = this.#channel(address);
    if (content.length > channel.maxLength) {
      throw new ToolError(
        "too_large",
        `${address}: the message has ${content.length} characters; the maximum is ${channel.maxLength}. Nothing was sent.`,
        "Shorten it, or send it in parts.",
      );
    }
    const { sendMessage } = await import("./sendMessage.js");
    return sendMessage({
      channel,
      content,
      secrets: await this.#secrets(channel),
      signal,
      timeout: this.#options.timeout,
    });
  }

  #isWindow(address: string): boolean {
    return address === WINDOW && this.#options.show !== undefined;
  }

  #read(): ReturnType<typeof readChannels> {
    return readChannels(this.#options.setting(), this.#options.place);
  }

  #channel(address: string): Channel {
    const { channels, problems } = this.#read();
    const channel = channels.find((each) => each.address === address);
    if (channel !== undefined) {
      return channel;
    }
    const broken = problems.find((problem) => problem.address === undefined || problem.address === address);
    if (broken !== undefined) {
      throw new ToolError(
        "invalid_input",
        `${excerpt(address)}: its settings cannot be used. ${broken.message}`,
        "The user can correct them.",
      );
    }
    const { addresses } = this.addresses();
    const near = nearestNames(address, addresses);
    const there =
      addresses.length === 0
        ? `There are none: the user can add some in ${this.#options.place}.`
        : `There are: ${addresses.join(", ")}.`;
    throw new ToolError(
      "not_found",
      `${excerpt(address)}: messages cannot be sent there.`,
      near.length === 0 ? there : `Did you mean ${near.join(" or ")}? ${there}`,
    );
  }

  /** Returns the names of all secrets that the channels use. */
  secretNames(): string[] {
    return [...new Set(this.#read().channels.flatMap(secretsOf))];
  }

  /** @throws ToolError `unavailable` that names a secret that is not set */
  async #secrets(channel: Channel): Promise<Map<string, string>> {
    const { address } = channel;
    const secrets = new Map<string, string>();
    for (const name of secretsOf(channel)) {
      const value = await this.#options.secret(name);
      if (value === undefined || value === "") {
        throw new ToolError(
          "unavailable",
          `${address}: its secret ${name} is not set. Nothing was sent.`,
          this.#options.secretAdvice(name),
        );
      }
      // A file's trailing newline is not part of the secret. Characters that a header cannot hold would cause an error
      // that shows the secret.
      if (!/^[\x20-\x7e]+$/.test(value.trim())) {
        throw new ToolError(
          "unavailable",
          `${address}: its secret ${name} contains characters that no header or address may. Nothing was sent.`,
          this.#options.secretAdvice(name),
        );
      }
      secrets.set(name, value.trim());
    }
    return secrets;
  }
}

function secretsOf({ url, headers, body }: Channel): string[] {
  return [
    ...new Set(
      [url, ...Object.values(headers), JSON.stringify(body)].flatMap((text) => findSecrets(text, () => "").names),
    ),
  ];
}

/** Returns the environment variable that holds a secret on the command line. */
export function secretVariable(name: string): string {
  return `TOOLHOST_SECRET_${name.toUpperCase().replaceAll(/[^A-Z0-9]/g, "_")}`;
}
