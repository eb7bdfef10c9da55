/**
 * Decides which variables change which programs run, or what they reach.
 *
 * - A variable that programs get in their environment is harmless only if it is listed here (`HARMLESS`); any other
 *   needs approval.
 * - A variable of the shell itself, never exported, is seen by bash alone: of these, only names that bash or a listed
 *   tool reads need approval, and names that are already exported, which the host knows (`Findings.sets`).
 */

/**
 * Names, or prefixes of names (ending in `*`), that only change what is displayed, with the reason, and the program
 * versions whose manuals say so.
 */
const HARMLESS: readonly (readonly [names: string, why: string, from: string])[] = [
  [
    "LANG LC_*",
    "choose a language among those installed: glibc takes no locale's name with a slash",
    "glibc 2.20–2.36",
  ],
  ["TZ", "chooses a time zone; what is in the file of another name is never shown", "glibc 2.36"],
  ["TERM COLUMNS LINES COLORTERM", "describe the terminal: ncurses takes no name with a slash", "ncurses 6.4"],
  [
    "NO_COLOR FORCE_COLOR CLICOLOR CLICOLOR_FORCE CARGO_TERM_COLOR MANWIDTH",
    "choose colours and widths",
    "no-color.org, Cargo 1.95, man-db 2.11.2",
  ],
  [
    "CI DEBUG VERBOSE LOG_LEVEL RUST_LOG RUST_BACKTRACE",
    "choose how much is logged",
    "npm debug 4, env_logger 0.11, Rust 1",
  ],
  ["NODE_ENV RAILS_ENV RACK_ENV APP_ENV PORT", "choose among a project's own settings", "any: they are the project's"],
  ["GIT_TERMINAL_PROMPT GIT_OPTIONAL_LOCKS", "keep git from asking and from writing", "git 2.15–2.51"],
  [
    "PYTHONUNBUFFERED PYTHONIOENCODING PYTHONUTF8 PYTHONDONTWRITEBYTECODE PYTHONHASHSEED",
    "choose how Python prints",
    "Python 3.6–3.14",
  ],
  ["GOOS GOARCH", "choose what Go builds for", "Go 1.5–1.25"],
];

/**
 * Variables that bash itself reads (manual of 5.3, "Shell Variables"): setting one needs approval, whatever its
 * meaning.
 */
const OF_BASH =
  "BASH* COMP_* COMPREPLY COPROC* CHILD_MAX DIRSTACK EMACS ENV EPOCH* EUID EXECIGNORE FCEDIT FIGNORE FUNCNAME FUNCNEST GLOBIGNORE GLOBSORT GROUPS HIST* histchars HOSTFILE HOSTNAME HOSTTYPE IFS " +
  "IGNOREEOF ignoreeof INPUTRC INSIDE_EMACS LINENO MACHTYPE MAIL* MAPFILE OLDPWD OPTARG OPTERR OPTIND OSTYPE PIPESTATUS POSIXLY_CORRECT PPID PROMPT_* PS0 PS1 PS2 PS3 PS4 PWD RANDOM READLINE_* " +
  "SECONDS SHELLOPTS SHLVL SRANDOM TIMEFORMAT TMOUT TMPDIR UID auto_resume";

/**
 * Names, or prefixes or suffixes of names (with `*`), with the effect of setting them. Case matters, unless the reason
 * says otherwise.
 */
const VARIABLES: readonly (readonly [names: string, reason: string])[] = [
  ["PATH FPATH CDPATH PATHEXT EXECIGNORE", "decides which program a name means"],
  ["LD_* DYLD_* _RLD* LIBPATH SHLIB_PATH GCONV_PATH LOCPATH NLSPATH", "loads code into every program"],
  ["GLIBC_TUNABLES MALLOC_* ASAN_* TSAN_* UBSAN_* MSAN_* LSAN_*", "changes how every program runs"],
  [
    "BASH_* BASHOPTS SHELLOPTS ENV ZDOTDIR PROMPT_COMMAND PS0 PS1 PS2 PS3 PS4 IFS GLOBIGNORE HISTFILE FCEDIT COMP_* POSIXLY_CORRECT FUNCNEST TMOUT INPUTRC DIRSTACK",
    "changes how the shell reads or runs commands",
  ],
  ["HISTCMD OPTIND RANDOM SECONDS SRANDOM", "is evaluated as arithmetic, where a subscript can run a command"],
  ["MAIL MAILPATH MAILCHECK", "is expanded when the shell looks for mail"],
  ["SHELL COMSPEC ComSpec SHELLCMD SUDO_* DOAS_*", "decides which shell programs start"],
  ["HOME USERPROFILE APPDATA LOCALAPPDATA XDG_*", "decides where programs look for their settings"],
  [
    "GIT_* GITHUB_* GH_* GL_* SSH_* GPG_* GNUPGHOME HG* SVN_* CVS_RSH RSYNC_* SCP_*",
    "lets version control run other programs or reach another place",
  ],
  ["PAGER *PAGER MANPAGER BAT_* DELTA_* LESS* MORE MOST_*", "names a program that shows text"],
  ["EDITOR VISUAL *EDITOR *_EDITOR BROWSER *BROWSER TERMINAL", "names a program to run"],
  ["*_ASKPASS *ASKPASS", "names a program to run"],
  [
    "NODE_OPTIONS NODE_PATH NODE_EXTRA_CA_CERTS NODE_REPL* NODE_TLS_* NODE_V8_* NODE_ICU_DATA ELECTRON_* NPM_* npm_* YARN_* PNPM_* BUN_* DENO_* COREPACK_* TS_NODE_* TSX_* VITE_NODE* JEST_* BABEL_* ESBUILD_* PLAYWRIGHT_* PUPPETEER_*",
    "makes Node.js or its package managers load other code",
  ],
  [
    "PYTHON* PIP_* PIPENV_* UV_* POETRY_* CONDA_* VIRTUAL_ENV PYTEST_* TOX_* IPYTHON* MPLCONFIGDIR DJANGO_SETTINGS_MODULE",
    "makes Python load other code",
  ],
  [
    "PERL* RUBY* GEM_* BUNDLE_* RAKE* LUA_* PHP* COMPOSER_* R_* JULIA_* GUILE_* ERL_* ELIXIR_* MIX_* TCLLIBPATH OCAMLPATH",
    "makes an interpreter load other code",
  ],
  [
    "JAVA_* _JAVA_OPTIONS JDK_* CLASSPATH MAVEN_* MVN_* GRADLE_* ANT_* SBT_* KOTLIN_* SCALA_*",
    "makes Java load other code",
  ],
  [
    "CARGO* RUST* GO* CGO_* DOTNET_* MSBUILD* NUGET_* COMPlus_* CORECLR_* COR_*",
    "makes a compiler or its tools run other programs",
  ],
  [
    "CC CXX CPP LD AS AR NM FC RANLIB STRIP OBJCOPY CFLAGS CXXFLAGS CPPFLAGS LDFLAGS LDLIBS MAKE MAKE* MFLAGS GNUMAKEFLAGS CMAKE_* CCACHE_* DISTCC_* GCC_* COMPILER_PATH LIBRARY_PATH CPATH C_INCLUDE_PATH CPLUS_INCLUDE_PATH PKG_CONFIG* ACLOCAL* AUTO* M4 NINJA* MESON*",
    "changes which programs a build runs",
  ],
  [
    "DOCKER_* BUILDKIT_* COMPOSE_* KUBE* HELM_* TF_* TERRAFORM_* AWS_* AZURE_* GOOGLE_* CLOUDSDK_* ANSIBLE_* VAGRANT_* PACKER_* CONTAINER* PODMAN_*",
    "makes a tool reach another place",
  ],
  [
    "HTTP_PROXY HTTPS_PROXY ALL_PROXY NO_PROXY FTP_PROXY http_proxy https_proxy all_proxy no_proxy ftp_proxy CURL_* WGETRC SSL_* SSLKEYLOGFILE REQUESTS_CA_BUNDLE OPENSSL_* HOSTALIASES RES_OPTIONS LOCALDOMAIN RESOLV_*",
    "sends what programs fetch to another place",
  ],
  [
    "RIPGREP_CONFIG_PATH GREP_OPTIONS FD_* FZF_* ACK* AG_* TAR_OPTIONS GZIP BZIP2 XZ_* ZSTD_* ZIPOPT UNZIP* RSYNC* PARALLEL* WATCH* LS_OPTIONS TREE_* JQ_* EXINIT VIMINIT VIM* MYVIMRC NVIM_* EMACS* GDB* LLDB_* STRACE* TERMINFO* TERMCAP TERMPATH GROFF_* MAN* INFOPATH",
    "gives a tool more options",
  ],
  ["MAGIC LANGUAGE TEXTDOMAIN*", "names files that programs read and may show parts of"],
  [
    "DISPLAY DBUS_* WAYLAND_* XAUTHORITY TMUX* SCREEN* VSCODE_* TOOLHOST_*",
    "connects programs to another running program",
  ],
];

/** Looks a name up in lists of names. */
class NameLists {
  readonly #exact = new Map<string, string>();
  readonly #beginnings: (readonly [string, string])[] = [];
  readonly #ends: (readonly [string, string])[] = [];

  constructor(lists: readonly (readonly [names: string, why: string, from?: string])[]) {
    for (const [names, why] of lists) {
      for (const name of names.split(" ")) {
        if (name.startsWith("*")) {
          this.#ends.push([name.slice(1), why]);
        } else if (name.endsWith("*")) {
          this.#beginnings.push([name.slice(0, -1), why]);
        } else {
          this.#exact.set(name, why);
        }
      }
    }
  }

  why(name: string): string | undefined {
    return (
      this.#exact.get(name) ??
      this.#beginnings.find(([beginning]) => name.startsWith(beginning))?.[1] ??
      this.#ends.find(([end]) => name.endsWith(end))?.[1]
    );
  }
}

const harmless = new NameLists(HARMLESS);
const harmful = new NameLists([...VARIABLES, [OF_BASH, "is the shell's own"]]);

/**
 * Returns why setting a variable makes what runs uncertain; undefined if it does not.
 * @param isExported whether programs get it in their environment: before a command, by `export` or `env`, or as a
 * variable of the call
 */
export function variableDoubt(name: string, isExported = false): string | undefined {
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) {
    return `\`${name.slice(0, 60)}\` is not the name of a variable`;
  }
  if (harmless.why(name) !== undefined) {
    return undefined;
  }
  const reason =
    harmful.why(name) ?? (isExported ? "may change what programs do: it is not known to be harmless" : undefined);
  return reason === undefined ? undefined : `\`${name}\` ${reason}`;
}
