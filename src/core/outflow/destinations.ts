// Where a call sends something.
import type { Tool, Touch } from "../contract.js";
import { fetchedFrom } from "../permission/commands/installs.js";
import type { CommandTouch, GatedTouch } from "../permission/touches.js";
import { isThisMachine, originOf } from "./seenTexts.js";

/** Where something leaves this machine. */
export interface Destination {
  /** The same for calls that go to the same machine, server or person. */
  id: string;
  /** For people: `message to team`. */
  shown: string;
  /** Whether it can make something happen there, as far as is known. */
  acts: boolean;
}

/** Programs that send to other machines. */
const SENDS = new Set(
  (
    "curl wget aria2c http https xh lynx w3m links nc ncat netcat socat telnet ssh sftp scp rsync ftp tftp mosh rclone dig nslookup " +
    "host whois ping gh glab hub aws gcloud az gsutil heroku vercel netlify firebase wrangler flyctl fly mail mailx sendmail mutt msmtp " +
    "kubectl oc twine"
  ).split(" "),
);
/** Words after which programs that mostly work here send. */
const SENDING_WORDS: Readonly<Record<string, RegExp>> = {
  git: /^(?:push|send-email|ls-remote|request-pull)$/,
  npm: /^(?:publish|deprecate|owner|dist-tag)$/,
  pnpm: /^publish$/,
  yarn: /^publish$/,
  cargo: /^(?:publish|login)$/,
  docker: /^(?:push|login)$/,
  podman: /^(?:push|login)$/,
};
/** Programs that only ask, unless a flag gives them something to send. */
const ASKS = new Set(["curl", "wget", "aria2c", "lynx", "w3m", "links", "dig", "nslookup", "host", "whois", "ping"]);
const GIVES = /^(?:-[a-zA-Z]*[dFTXKu]|--(?:data|form|json|upload-file|request|post|body|method|user|config))/;
const ADDRESS = /\b[a-z][a-z\d+.-]*:\/\/[^\s"'`<>|;)]+/gi;
/** `user@host:path`, as ssh and git take it. */
const SSH_ADDRESS = /^[\w.-]+@([\w.-]+):/;

/**
 * Returns where a call sends something; none if it stays on this machine, as far as is known.
 *
 * @param isContained whether its commands run contained, and reach hosts that the user allowed
 */
export function destinationsOf(
  tool: Tool,
  named: readonly Touch[],
  gated: readonly GatedTouch[],
  isContained = false,
): Destination[] {
  return [
    ...named.flatMap((touch): Destination[] => {
      switch (touch.kind) {
        case "network":
          return [{ id: originOf(touch.url), shown: originOf(touch.url), acts: !tool.annotations.readOnly }];
        case "search":
          return [{ id: "search", shown: "a search of the web", acts: false }];
        case "message":
          return [{ id: `message to ${touch.to}`, shown: `message to ${touch.to}`, acts: true }];
        case "external":
          return [{ id: touch.server, shown: `${touch.tool} of ${touch.server}`, acts: true }];
        default:
          return [];
      }
    }),
    ...gated.flatMap((touch) => (touch.kind === "command" && touch.as === undefined ? commandDestinations(touch) : [])),
    // Code that they fetch may send there what it reads.
    ...(isContained && fetchedFrom(gated).length > 0
      ? [{ id: "registries", shown: "registries of packages", acts: true }]
      : []),
  ];
}

function commandDestinations({ commands }: CommandTouch): Destination[] {
  return commands.flatMap(({ simple }): Destination[] => {
    const name = baseName(simple.words[0]);
    const words = simple.words.flatMap((word) => (word === undefined ? [] : [word]));
    const named = words.flatMap((word) => [
      ...[...word.matchAll(ADDRESS)].map(([address]) => originOf(address)),
      ...(SSH_ADDRESS.exec(word)?.slice(1) ?? []),
    ]);
    const hosts = named.filter((host) => !isThisMachine(host));
    const sends =
      name !== undefined &&
      (SENDS.has(name) || words.slice(1, 4).some((word) => SENDING_WORDS[name]?.test(word) === true));
    const staysHere = named.length > 0 && hosts.length === 0;
    if (simple.effect === "reads" || staysHere || (!sends && hosts.length === 0)) {
      return [];
    }
    const to = hosts[0] ?? `${name ?? "a program"} ${words.slice(1, 3).join(" ")}`.trim();
    const asks = name !== undefined && ASKS.has(name) && !words.some((word) => GIVES.test(word));
    return [{ id: to, shown: hosts[0] === undefined ? to : `${name ?? "a program"} to ${to}`, acts: !asks }];
  });
}

/** Returns the files that a line gives to a program that sends: by `@name`, a redirection, a pipe or a substitution. */
export function filesSent(gated: readonly GatedTouch[]): string[] {
  return gated.flatMap((touch) => {
    if (touch.kind !== "command" || commandDestinations(touch).length === 0) {
      return [];
    }
    const { commands, redirections, command } = touch;
    const named = commands.flatMap(({ simple }) =>
      SENDS.has(baseName(simple.words[0]) ?? "")
        ? simple.words.flatMap((word, index) => {
            const before = simple.words[index - 1] ?? "";
            const file = /^(?:[\w.-]+[=:])?[@<]([^-@].*)$/.exec(word ?? "")?.[1];
            return file ?? (/^(?:-T|--upload-file|--(?:post|body)-file)$/.test(before) ? word : undefined) ?? [];
          })
        : [],
    );
    const piped = /[|`]|[$<]\(/.test(command)
      ? commands.flatMap(({ simple, uses }) =>
          simple.effect === "reads" ? uses.filter(({ kind }) => kind === "read").map(({ written }) => written) : [],
        )
      : [];
    const redirected = redirections.filter(({ kind }) => kind === "read").map(({ written }) => written);
    return [...named, ...redirected, ...piped];
  });
}

/** Returns the name of a program, wherever it is. */
function baseName(word: string | undefined): string | undefined {
  return word?.slice(Math.max(word.lastIndexOf("/"), word.lastIndexOf("\\")) + 1);
}
