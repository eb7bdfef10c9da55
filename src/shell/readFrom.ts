/**
 * The program versions whose manual, `--help` or source each table entry was read from. Nothing is known about other
 * versions, except that a flag which is not listed needs approval. Builtins and variables have theirs in their own
 * tables.
 */
const READ_FROM: readonly (readonly [from: string, names: string])[] = [
  [
    "GNU coreutils 9.1",
    "ls stat du basename dirname realpath readlink cat tac head tail wc nl od fold fmt expand unexpand base64 base32 md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum cksum sort uniq cut tr paste join comm sleep seq yes date uname arch nproc whoami id groups who users tty df env printenv sync nohup nice timeout gtimeout stdbuf chroot",
  ],
  ["GNU diffutils 3.8", "diff cmp"],
  ["GNU findutils 4.9", "find xargs gxargs"],
  ["GNU grep 3.8", "grep egrep fgrep"],
  ["GNU sed 4.9", "sed gsed"],
  ["POSIX.1-2017, mawk 1.3.4, gawk 5.2.1", "awk gawk mawk nawk"],
  ["ripgrep 13–15", "rg"],
  ["fd 8.6", "fd fdfind"],
  ["tree 2.1", "tree"],
  ["file 5.44", "file"],
  ["jq 1.6", "jq"],
  ["yq 3.1 (Python)", "yq"],
  ["xxd of Vim 9.0", "xxd"],
  ["Perl 5.36", "shasum"],
  ["bash 3.2–5.3", "[[ command builtin exec time coproc"],
  ["git 2.39–2.43", "git"],
  ["GNU make 4.3", "make gmake"],
  ["CMake 3.25", "cmake"],
  [
    "util-linux 2.38",
    "rev column hexdump hd whereis last lscpu more ionice chrt taskset setsid setarch runuser flock unshare nsenter setpriv",
  ],
  ["debianutils 5.7", "which"],
  ["hostname 3.23", "hostname"],
  ["glibc 2.36", "locale"],
  ["procps-ng 4.0.2", "w uptime free ps pgrep watch"],
  ["sysvinit 3.06", "pidof"],
  ["sudo 1.9", "sudo"],
  ["GNU binutils 2.40", "strings nm objdump readelf size ld as"],
  ["GNU tar 1.34", "tar"],
  ["unzip 6.00", "unzip"],
  ["gzip 1.12", "gzip zcat"],
  ["bzip2 1.0.8", "bzcat"],
  ["xz 5.4", "xzcat"],
  ["pkgconf 1.8.1", "pkg-config pkgconf"],
  ["lsof 4.95.0", "lsof"],
  ["iproute2 6.1.0", "ss"],
  ["net-tools 2.10", "netstat"],
  ["less 590", "less"],
  ["man-db 2.11.2", "man"],
  ["npm 11", "npm"],
  ["Yarn 1–4", "yarn"],
  ["pip 9–25", "pip pip3"],
  ["black 23.1", "black"],
  ["Maven 3.8", "mvn"],
  ["Gradle 8", "gradle"],
  ["Go 1.16–1.25", "go gofmt"],
  ["Cargo 1.95", "cargo"],
  ["Rust 1.95", "rustc"],
  ["rustup 1.29", "rustup"],
  ["Docker 28.2", "docker"],
  ["Python 3.11", "python python3"],
  ["Node.js 20", "node nodejs"],
  ["Perl 5.36", "perl"],
  ["GCC 12.2", "gcc g++ cc c++"],
  ["pnpm 9.15–11.28", "pnpm"],
  ["Bundler 2.6", "bundle"],
  ["Composer 2.8", "composer"],
  ["Poetry 2.1", "poetry"],
  ["PDM 2.20", "pdm"],
  ["TypeScript 6.0", "tsc"],
  ["OpenJDK 17", "java javac"],
];

/**
 * Commands and wrappers whose source version nobody recorded. Nothing about them counts as proven, so they ask until
 * one is recorded.
 */
export const NOT_RECORDED: ReadonlySet<string> = new Set(
  "cal bun uv pipenv dotnet swift ruff python2 deno php ruby lua Rscript clang clang++ csc podman nerdctl caffeinate chronic unbuffer entr".split(
    " ",
  ),
);

const BY_NAME = new Map(READ_FROM.flatMap(([from, names]) => names.split(" ").map((name) => [name, from] as const)));

/**
 * Returns the versions that the entry of a command or wrapper was read from, such as `ripgrep 13–15`.
 * @returns undefined if none is recorded
 */
export function readFrom(name: string): string | undefined {
  return BY_NAME.get(name);
}
