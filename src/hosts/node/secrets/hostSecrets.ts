import { createHmac } from "node:crypto";
import type { Secrets } from "../../../core/secrets/secrets.js";
import { secretName } from "../../../text/secrets/find.js";
import { ID_DIGITS } from "../../../text/secrets/handles.js";
import { secretsIn, type KnownSecret } from "../../../text/secrets/known.js";
import { SecretMask } from "../../../text/secrets/mask.js";
import { NamedValues } from "../../../text/secrets/named.js";
import { isSecretVariable } from "../environment.js";
import { secretsKey } from "./key.js";
import { SecretFiles } from "./secretFiles.js";

/** Prefix of the variables in which a user gives the secrets of tools, servers and channels. */
export const SECRET_VARIABLE = "TOOLHOST_SECRET_";

/** Number of values kept that were seen in texts; the oldest are forgotten. */
const MAX_SEEN = 5_000;

export interface SecretsHost {
  /** The workspace's folders, absolute, on the local disk. */
  folders: () => readonly string[];
  env: NodeJS.ProcessEnv;
  /** The file of the key that handles are made with. */
  keyFile: () => string;
  /** Milliseconds since 1970. */
  now: () => number;
}

/** The secrets of this process: values of its variables and of the workspace's files, and those that texts had. */
export class HostSecrets implements Secrets {
  readonly #host: SecretsHost;
  readonly #files: SecretFiles;
  #ofVariables: readonly KnownSecret[];
  /** What the user named as secrets: a text that has one of them is masked whatever the value is. */
  readonly #named = new NamedValues();
  #known: readonly KnownSecret[] = [];
  #mask: SecretMask;
  #key: Uint8Array | undefined;
  /** Digests by value, oldest first. */
  readonly #seen = new Map<string, string>();
  /** Digests by the ids given to them. */
  readonly #ids = new Map<string, string>();

  constructor(host: SecretsHost) {
    this.#host = host;
    this.#files = new SecretFiles(host.folders, host.now);
    this.#ofVariables = Object.entries(host.env).flatMap(([name, value = ""]) =>
      isSecretVariable(name) ? secretsIn(name, value, true) : [],
    );
    for (const [name, value = ""] of Object.entries(host.env)) {
      if (name.startsWith(SECRET_VARIABLE)) {
        this.#named.add(secretName(name), value);
      }
    }
    this.#mask = this.#maskFor(this.#ofVariables);
  }

  /** Adds a secret that its user named, and that is about to be given to a command or a server. */
  add(name: string, value: string): void {
    if (this.#named.add(secretName(name), value)) {
      this.#mask = this.#maskFor(this.#known);
    }
  }

  /** Adds what is secret of a setting, as far as its name and its looks tell. */
  addSetting(name: string, value: string): void {
    this.#ofVariables = unique([...this.#ofVariables, ...secretsIn(name, value, true)]);
    this.#mask = this.#maskFor(unique([...this.#ofVariables, ...this.#known]));
  }

  look(): void {
    void this.#files.values().catch(() => undefined);
  }

  async mask(): Promise<SecretMask> {
    const known = unique([...this.#ofVariables, ...(await this.#files.values())]);
    const isSame = ({ value, isWeak, isFileName }: KnownSecret, index: number): boolean => {
      const before = this.#known[index];
      return value === before?.value && isWeak === before.isWeak && isFileName === before.isFileName;
    };
    if (known.length !== this.#known.length || !known.every(isSame)) {
      this.#mask = this.#maskFor(known);
    }
    return this.#mask;
  }

  now(): SecretMask {
    return this.#mask;
  }

  note(path: string, isSecret: boolean): void {
    this.#files.note(path, isSecret);
  }

  /** Returns the absolute paths of the workspace's files that may hold secrets. */
  files(): Promise<readonly string[]> {
    return this.#files.paths();
  }

  find(id: string): readonly string[] {
    const values = [
      ...new Set([...this.#known.map(({ value }) => value), ...this.#named.values, ...this.#seen.keys()]),
    ];
    return values.filter((value) => this.#digest(value).startsWith(id));
  }

  #maskFor(known: readonly KnownSecret[]): SecretMask {
    this.#known = known;
    return new SecretMask(known, (value) => this.#idOf(value), this.#named);
  }

  /** Returns the shortest id that no other value has. */
  #idOf(value: string): string {
    const digest = this.#digest(value);
    for (let digits = ID_DIGITS; ; digits++) {
      const id = digest.slice(0, digits);
      const other = this.#ids.get(id);
      if (other === undefined || other === digest) {
        if (this.#ids.size >= MAX_SEEN) {
          this.#ids.clear();
        }
        this.#ids.set(id, digest);
        return id;
      }
    }
  }

  #digest(value: string): string {
    let digest = this.#seen.get(value);
    if (digest === undefined) {
      this.#key ??= secretsKey(this.#host.keyFile());
      digest = createHmac("sha256", this.#key).update(value).digest("hex");
      if (this.#seen.size >= MAX_SEEN) {
        for (const oldest of this.#seen.keys()) {
          this.#seen.delete(oldest);
          break;
        }
      }
      this.#seen.set(value, digest);
    }
    return digest;
  }
}

/** Returns each value once: as a weak one only if nothing else makes it a secret. */
function unique(all: readonly KnownSecret[]): KnownSecret[] {
  const strong = new Set(all.flatMap(({ value, isWeak }) => (isWeak === true ? [] : [value])));
  const kept = all.filter(({ value, isWeak }) => isWeak !== true || !strong.has(value));
  return [...new Map(kept.map((each) => [each.value, each])).values()];
}
