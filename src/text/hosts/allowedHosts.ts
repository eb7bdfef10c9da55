import { isPrivateHost } from "../privateAddress.js";
import { oneLine, shorten } from "../clip.js";
import { presets } from "./presets.js";

/** What a host is reached at if its entry names no port: https and http. */
const USUAL_PORTS: readonly number[] = [443, 80];
/** Maximum number of entries that count. */
const MAX_ENTRIES = 500;
/** Maximum characters of an entry that a message shows. */
const MAX_SHOWN = 80;
/** A name of the domain name system, without a dot at its end (RFC 1123; underscores are in use). */
const NAME = /^(?=.{1,253}$)[a-z\d_](?:[a-z\d_-]{0,61}[a-z\d_])?(?:\.[a-z\d_](?:[a-z\d_-]{0,61}[a-z\d_])?)*$/;
const ENTRY = /^(\*\.)?([^*:/@\s]+?)(?::(\d{1,5}))?$/u;

const USE = "Give a name such as api.example.com, *.example.com or api.example.com:8443, or a preset:";

interface AllowedHost {
  /** In lower case and ASCII, without a dot at its end. */
  name: string;
  /** Whether it stands for all names below it, and not for itself. */
  isBelow: boolean;
  /** Undefined for the usual ports. */
  port: number | undefined;
}

/** The hosts that the user lets contained commands reach. */
export class AllowedHosts {
  readonly #hosts: readonly AllowedHost[];

  constructor(hosts: readonly AllowedHost[] = []) {
    this.#hosts = hosts;
  }

  get isEmpty(): boolean {
    return this.#hosts.length === 0;
  }

  /** Whether a host may be reached. @param name as `hostName` returns it */
  allows(name: string, port: number): boolean {
    return this.#hosts.some(
      (host) =>
        (host.isBelow ? name.endsWith(`.${host.name}`) : name === host.name) &&
        (host.port === undefined ? USUAL_PORTS.includes(port) : host.port === port),
    );
  }

  /** Whether all of these hosts may be reached by https. */
  allowsAll(names: readonly string[]): boolean {
    return names.every((name) => this.allows(name, 443));
  }
}

/**
 * Reads the user's list.
 *
 * @param entries of any type, as a setting has them
 * @returns the hosts, and for each entry that is none a sentence that says what to write instead
 */
export function readHosts(entries: unknown): { hosts: AllowedHosts; problems: string[] } {
  if (entries === undefined || entries === null) {
    return { hosts: new AllowedHosts(), problems: [] };
  }
  if (!Array.isArray(entries)) {
    return { hosts: new AllowedHosts(), problems: [`It is no list. ${USE} ${presetNames()}.`] };
  }
  const hosts: AllowedHost[] = [];
  const problems: string[] = [];
  for (const entry of entries.slice(0, MAX_ENTRIES) as unknown[]) {
    const read = readEntry(entry);
    if ("why" in read) {
      const shown = shorten(oneLine(typeof entry === "string" ? entry : (JSON.stringify(entry) ?? "")), MAX_SHOWN);
      problems.push(`${JSON.stringify(shown)} ${read.why}.`);
    } else {
      hosts.push(...read.hosts);
    }
  }
  if (entries.length > MAX_ENTRIES) {
    problems.push(`Only its first ${MAX_ENTRIES} entries count. Use *.example.com for many names of a domain.`);
  }
  return { hosts: new AllowedHosts(hosts), problems };
}

/**
 * Returns a host's name as hosts are compared: in lower case and ASCII, without a dot at its end.
 *
 * @returns undefined if it is not a name but an address, or neither
 */
export function hostName(written: string): string | undefined {
  const name = written.toLowerCase().replace(/\.$/, "");
  // A name whose last part is a number is an address in one of its many forms (URL standard, "ends in a number").
  return NAME.test(name) && !/(?:^|\.)(?:\d+|0x[\da-f]*)$/.test(name) ? name : undefined;
}

function readEntry(entry: unknown): { hosts: AllowedHost[] } | { why: string } {
  if (typeof entry !== "string") {
    return { why: `is no text. ${USE} ${presetNames()}` };
  }
  const text = entry.trim();
  const preset = presets().get(text.toLowerCase());
  if (preset !== undefined) {
    return { hosts: preset.map((name) => ({ name, isBelow: false, port: undefined })) };
  }
  if (/^[a-z][a-z\d+.-]*:\/\//i.test(text)) {
    return { why: "is an address with a scheme. Give its host alone, and its port if it is not 443 or 80" };
  }
  const [, wildcard, host = "", digits] = ENTRY.exec(text) ?? [];
  const port = digits === undefined ? undefined : Number(digits);
  const name = hostName(inAscii(host));
  if (port !== undefined && (port < 1 || port > 65_535)) {
    return { why: "has a port that there is none of. Give one from 1 to 65535" };
  }
  if (/^[\d.]+$|^\[/.test(host === "" ? text : host)) {
    return { why: "is an address. Only names are allowed, since an address may be anybody's tomorrow" };
  }
  if (name === undefined) {
    return { why: `is no host. ${USE} ${presetNames()}` };
  }
  if (wildcard !== undefined && !name.includes(".")) {
    return { why: "stands for everybody's names. Give at least a domain after the star: *.example.com" };
  }
  if (isPrivateHost(name)) {
    return {
      why:
        name.includes(".") || name === "localhost"
          ? "is on this machine or a private network, which contained commands cannot reach. Let such a command run outside of the sandbox"
          : `is no host. ${USE} ${presetNames()}`,
    };
  }
  return { hosts: [{ name, isBelow: wildcard !== undefined, port }] };
}

function presetNames(): string {
  return [...presets().keys()].join(", ");
}

/** Returns a name with letters of any alphabet as the domain name system has it. */
function inAscii(host: string): string {
  const address = `http://${host}/`;
  return /[^\0-\x7f]/.test(host) && URL.canParse(address) ? new URL(address).hostname : host;
}
