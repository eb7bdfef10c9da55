// What bubblewrap (https://github.com/containers/bubblewrap) shows and denies all that runs in it here.
import { existsSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { systemCallFilter } from "./systemCalls.js";

/** Where bubblewrap may be. PATH is not searched, since a workspace's folder in it may have a program of that name. */
export const PROGRAMS = ["/usr/bin/bwrap", "/bin/bwrap", "/usr/local/bin/bwrap"];

/** Signals that end a command. Its group gets them, and bubblewrap, which is in the group, must outlive the command. */
export const SIGNALS = "HUP,INT,QUIT,PIPE,ALRM,TERM,USR1,USR2";

/** The system calls that contained commands do not have. */
export const FILTER = systemCallFilter();

/** What root may write to in a new /proc as well. */
export const OF_KERNEL = ["sys", "sysrq-trigger", "irq", "bus", "fs"]
  .map((name) => `/proc/${name}`)
  .filter((path) => existsSync(path));

/**
 * Folders of which programs get empty ones: sockets of services, files of other programs, other people's homes. The last
 * has the sockets of WSL's display and sound, which are of another network namespace.
 */
export const EMPTY = ["/tmp", "/var/tmp", "/run", "/home", "/root", "/mnt/wslg"];

/** Those of them that are for files which are not kept. */
export const OF_THE_MOMENT = ["/tmp", "/var/tmp"];

/**
 * The parts of the user's home that contained commands see, if they exist: where version managers and package managers
 * put programs, and Git's settings. They see nothing else of it, since it holds keys and passwords.
 */
const OF_HOME = (
  ".asdf .bun .cargo .conda .config/git .config/mise .deno .dotnet .fnm .gitconfig .goenv .jenv .juliaup .local/bin " +
  ".local/lib .local/pipx .local/share/fnm .local/share/mise .local/share/pipx .local/share/pnpm .local/share/uv " +
  ".local/share/virtualenvs .nodenv .npm-global .nvm .opam .pyenv .rbenv .rustup .rvm .sdkman .tool-versions .volta " +
  "anaconda3 bin go miniconda3"
).split(" ");

/** Files of the system with digests of passwords. */
export const SYSTEM_SECRETS = ["/etc/shadow", "/etc/shadow-", "/etc/gshadow", "/etc/gshadow-"];

/** Files with credentials below these. */
export const CREDENTIALS = [".cargo/credentials", ".cargo/credentials.toml", ".config/git/credentials"];

/** Whether a folder may be hidden: it exists, and is not the root. */
export function isEmptied(path: string): boolean {
  return resolve(path) !== "/" && path.startsWith("/") && existsSync(path);
}

/** Returns what is seen of a home: places of programs, and what PATH leads to. */
export function ofHome(home: string, path: string): string[] {
  const programs = path
    .split(":")
    .filter((folder) => folder.startsWith("/") && !relative(home, folder).startsWith("..") && folder !== home);
  return [...OF_HOME.map((name) => join(home, name)), ...programs];
}
