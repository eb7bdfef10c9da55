import type { SecretMask } from "../../text/secrets/mask.js";

/** What a host knows of secrets: their values, which models see as handles. */
export interface Secrets {
  /** Begins to look for files with secrets that are new or have changed, so that `mask` need not wait for that. */
  look(): void;
  /** Returns what masks texts, with the values of all files with secrets as they are now. */
  mask(): Promise<SecretMask>;
  /** Returns the same as far as it is known, for texts that cannot wait. */
  now(): SecretMask;
  /**
   * Notes a file that a call names, wherever it is: of one whose name says nothing, private keys alone are secret.
   *
   * @param path absolute, on the local disk
   * @param isSecret whether it may hold secrets by its name
   */
  note(path: string, isSecret: boolean): void;
  /** Returns the values that a handle may stand for: one, none, or several if its id is too short. */
  find(id: string): readonly string[];
}
