/** What a command under Seatbelt sees apart from the system and programs: absolute paths, by their real names. */
export interface SeatbeltReach {
  /** Folders that it sees nothing of but that they are there. */
  emptied: readonly string[];
  /** Folders that it sees, also where they are in those. */
  seen: readonly string[];
  /** Files that it cannot open, and folders of which it sees nothing, wherever they are. */
  hidden: readonly string[];
  /** What its shell reads first, although that is in a folder that it does not see. */
  readable: readonly string[];
  /** The file to which its shell reports. */
  report: string | undefined;
  /** Its own folder for files that it needs for the moment. */
  scratch: string;
}

/**
 * Services of the system that programs ask for the names of users and groups. All others are out of reach: among them
 * are those that open other programs, keep passwords, and copy.
 */
const SERVICES = [
  "com.apple.system.opendirectoryd.libinfo",
  "com.apple.system.opendirectoryd.membership",
  "com.apple.system.DirectoryService.libinfo_v1",
];

/** What the system says of the machine; the rest also has the arguments and variables of other processes. */
const FACTS = [
  "kern.argmax",
  "kern.hostname",
  "kern.maxfilesperproc",
  "kern.ngroups",
  "kern.secure_kernel",
  "kern.usrstack64",
  "kern.version",
  "sysctl.proc_cputype",
  "vm.loadavg",
];
const FACTS_FROM = ["hw.", "kern.os", "machdep.cpu."];

/** What programs write to without changing anything. */
const DEVICES = ["/dev/null", "/dev/zero", "/dev/stdout", "/dev/stderr"];

/**
 * Returns the arguments of sandbox-exec(1) in front of a command: a profile in the language of Apple's Seatbelt, in
 * which a later rule counts more than an earlier one, and the paths in it. They are parameters, which the language takes
 * as they are: no path can be read as a rule, whatever characters it has.
 */
export function seatbeltArguments(reach: SeatbeltReach): string[] {
  const parameters: string[] = [];
  const path = (kind: "literal" | "subpath", value: string): string =>
    `(${kind} (param "P${parameters.push(value) - 1}"))`;
  const rule = (operation: string, filters: readonly string[]): string[] =>
    filters.length === 0 ? [] : [`(${operation} ${filters.join(" ")})`];
  const below = (paths: readonly string[]): string[] => paths.map((each) => path("subpath", each));
  const named = (filter: string, names: readonly string[]): string[] => names.map((each) => `(${filter} "${each}")`);
  const { emptied, seen, hidden, readable, report, scratch } = reach;
  const profile = [
    "(version 1)",
    "(deny default)",
    "(allow process-exec process-fork)",
    "(allow signal (target same-sandbox))",
    "(allow process-info* (target same-sandbox))",
    ...rule("allow sysctl-read", [...named("sysctl-name", FACTS), ...named("sysctl-name-prefix", FACTS_FROM)]),
    ...rule("allow mach-lookup", named("global-name", SERVICES)),
    "(allow file-read*)",
    ...rule("deny file-read*", below(emptied)),
    // Programs ask of every folder on the way to a file whether it is one, and a link.
    "(allow file-read-metadata)",
    ...rule("allow file-read*", below(seen)),
    ...rule("deny file-read-data file-read-xattr", below(hidden)),
    ...rule(
      "allow file-read*",
      readable.map((each) => path("literal", each)),
    ),
    ...rule("allow file-write-data", [...named("literal", DEVICES), '(subpath "/dev/fd")']),
    ...rule("allow file-read* file-write*", below([scratch])),
    ...rule("allow file-write-data", report === undefined ? [] : [path("literal", report)]),
  ].join("\n");
  return [...parameters.map((value, index) => `-DP${index}=${value}`), "-p", profile, "--"];
}
