import type { Results, ResultWriter, StoredResult, TextPart } from "../../ports/results.js";
import { MaskStream } from "../../text/secrets/stream.js";
import { asciiText } from "../../text/terminal/bytes.js";
import type { Secrets } from "./secrets.js";

/** A result store that never gets a secret: what it is given is masked as it arrives. */
export class MaskedResults implements Results {
  readonly #results: Results;
  readonly #secrets: () => Secrets | undefined;

  /** @param secrets undefined if the user wants nothing masked */
  constructor(results: Results, secrets: () => Secrets | undefined) {
    this.#results = results;
    this.#secrets = secrets;
  }

  async open(source: string): Promise<ResultWriter> {
    const mask = await this.#secrets()?.mask();
    return mask === undefined
      ? this.#results.open(source)
      : new MaskedWriter(await this.#results.open(mask.mask(source)), new MaskStream((text) => mask.places(text)));
  }

  page(id: string, page: number): ReturnType<Results["page"]> {
    return this.#results.page(id, page);
  }

  chunks(id: string, signal: AbortSignal): AsyncIterable<string> {
    return this.#results.chunks(id, signal);
  }

  location(id: string): Promise<string> {
    return this.#results.location(id);
  }
}

class MaskedWriter implements ResultWriter {
  readonly #writer: ResultWriter;
  readonly #stream: MaskStream;

  constructor(writer: ResultWriter, stream: MaskStream) {
    this.#writer = writer;
    this.#stream = stream;
  }

  get id(): string {
    return this.#writer.id;
  }

  async write(...parts: readonly TextPart[]): Promise<void> {
    for (const part of parts) {
      await this.#write(this.#stream.push(typeof part === "string" ? part : asciiText(part)));
    }
  }

  async close(): Promise<StoredResult> {
    await this.#write(this.#stream.end());
    return this.#writer.close();
  }

  discard(): Promise<void> {
    return this.#writer.discard();
  }

  async #write(text: string): Promise<void> {
    if (text !== "") {
      await this.#writer.write(text);
    }
  }
}
