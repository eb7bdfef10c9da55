import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";

/** A folder, and where the kernel keeps what changes in a view of it. */
export interface Layer {
  folder: string;
  upper: string;
  work: string;
}

/** Programs of util-linux and mount are taken from here. PATH is not searched: the workspace may be in it. */
const PLACES = ["/usr/bin", "/bin"];

/** What every mount gets. With it the kernel keeps whole files, and no folder that refers to another one in the layer below. */
const OPTIONS = "userxattr,index=off";

/** Mounts each triple of folder, options and nothing else, then becomes the program behind `--`. No argument is code. */
const MOUNT = `mount=$1; shift
while [ "$1" != -- ]; do
  "$mount" -t overlay overlay -o "$2" "$1" || exit 126
  shift 2
done
shift
exec "$@"`;

/** Prints 1 for each path that exists, 0 for each other. */
const VISIBLE = `for path; do if [ -e "$path" ] || [ -L "$path" ]; then printf 1; else printf 0; fi; done`;

/** Maximum characters of arguments for one call. */
const MAX_ARGUMENTS = 60_000;
/** How long the look at a view may take, in ms. */
const LOOK_TIME = 20_000;

/** Whether the kernel takes a path in a mount's options as it is. */
export function isPlainPath(path: string): boolean {
  return !/[,:\\\n]/.test(path);
}

/**
 * Returns the words that start a program, which follow them, with changes to folders kept aside.
 *
 * The program is number 1 of its PID namespace: when the words' own process has ended, nothing that the program started
 * runs any more, and nobody changes the layers. It is killed with the process that starts it.
 */
export function changingWords(layers: readonly Layer[]): string[] {
  return words(
    layers.map(({ folder, upper, work }) => [
      folder,
      `lowerdir=${folder},upperdir=${upper},workdir=${work},${OPTIONS}`,
    ]),
  );
}

/** Returns which paths exist in a folder as a command that has ended left it in its view. */
export async function visible({ folder, upper }: Layer, paths: readonly string[]): Promise<boolean[]> {
  const seen: boolean[] = [];
  for (const part of parts(paths)) {
    const [file = "", ...args] = [
      ...words([[folder, `ro,lowerdir=${upper}:${folder},${OPTIONS}`]]),
      ...["/bin/sh", "-c", VISIBLE, "sh", ...part],
    ];
    const { stdout } = await promisify(execFile)(file, args, { timeout: LOOK_TIME, cwd: "/", env: { LC_ALL: "C" } });
    if (!/^[01]*$/.test(stdout) || stdout.length !== part.length) {
      throw new Error("the view cannot be read");
    }
    seen.push(...[...stdout].map((digit) => digit === "1"));
  }
  return seen;
}

function words(mounts: readonly (readonly [string, string])[]): string[] {
  return [
    ...[program("setpriv"), "--pdeathsig", "KILL"],
    ...[program("unshare"), "--user", "--map-root-user", "--mount", "--propagation", "private"],
    ...["--pid", "--fork", "--kill-child=KILL"],
    ...["/bin/sh", "-c", MOUNT, "sh", program("mount"), ...mounts.flat(), "--"],
  ];
}

/** Splits paths so that each part fits into the arguments of a call. */
function parts(paths: readonly string[]): string[][] {
  const split: string[][] = [];
  let room = 0;
  for (const path of paths) {
    if (path.length > room) {
      split.push([]);
      room = MAX_ARGUMENTS;
    }
    room -= path.length + 1;
    split.at(-1)?.push(path);
  }
  return split;
}

function program(name: string): string {
  return PLACES.map((place) => join(place, name)).find((path) => existsSync(path)) ?? name;
}
