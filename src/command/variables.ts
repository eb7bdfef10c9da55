/** Variables of the environment that change what runs, or where it reaches. */

/** Names, or beginnings of names (ending in `*`), with what setting them does. Case matters, except where the reason says so. */
const VARIABLES: readonly (readonly [names: string, reason: string])[] = [
  ["PATH FPATH CDPATH PATHEXT EXECIGNORE", "decides which program a name means"],
  ["LD_* DYLD_* _RLD* LIBPATH SHLIB_PATH GCONV_PATH LOCPATH NLSPATH", "loads code into every program"],
  ["GLIBC_TUNABLES MALLOC_* ASAN_* TSAN_* UBSAN_* MSAN_* LSAN_*", "changes how every program runs"],
  ["BASH_* BASHOPTS SHELLOPTS ENV ZDOTDIR PROMPT_COMMAND PS0 PS1 PS2 PS3 PS4 IFS GLOBIGNORE HISTFILE FCEDIT COMP_* POSIXLY_CORRECT FUNCNEST TMOUT INPUTRC DIRSTACK", "changes how the shell reads or runs commands"],
  ["HISTCMD OPTIND RANDOM SECONDS SRANDOM", "is evaluated as arithmetic, and a subscript in it may run a command"],
  ["MAIL MAILPATH MAILCHECK", "is expanded when the shell looks for mail"],
  ["SHELL COMSPEC ComSpec SHELLCMD SUDO_* DOAS_*", "decides which shell programs start"],
  ["HOME USERPROFILE APPDATA LOCALAPPDATA XDG_*", "decides where programs look for their settings"],
  ["GIT_* GITHUB_* GH_* GL_* SSH_* GPG_* GNUPGHOME HG* SVN_* CVS_RSH RSYNC_* SCP_*", "lets version control run other programs or reach another place"],
  ["PAGER *PAGER MANPAGER BAT_* DELTA_* LESS* MORE MOST_*", "names a program that shows text"],
  ["EDITOR VISUAL *EDITOR *_EDITOR BROWSER *BROWSER TERMINAL", "names a program to run"],
  ["*_ASKPASS *ASKPASS", "names a program to run"],
  ["NODE_OPTIONS NODE_PATH NODE_EXTRA_CA_CERTS NODE_REPL* NODE_TLS_* NODE_V8_* NODE_ICU_DATA ELECTRON_* NPM_* npm_* YARN_* PNPM_* BUN_* DENO_* COREPACK_* TS_NODE_* TSX_* VITE_NODE* JEST_* BABEL_* ESBUILD_* PLAYWRIGHT_* PUPPETEER_*", "makes Node.js or its package managers load other code"],
  ["PYTHON* PIP_* PIPENV_* UV_* POETRY_* CONDA_* VIRTUAL_ENV PYTEST_* TOX_* IPYTHON* MPLCONFIGDIR DJANGO_SETTINGS_MODULE", "makes Python load other code"],
  ["PERL* RUBY* GEM_* BUNDLE_* RAKE* LUA_* PHP* COMPOSER_* R_* JULIA_* GUILE_* ERL_* ELIXIR_* MIX_* TCLLIBPATH OCAMLPATH", "makes an interpreter load other code"],
  ["JAVA_* _JAVA_OPTIONS JDK_* CLASSPATH MAVEN_* MVN_* GRADLE_* ANT_* SBT_* KOTLIN_* SCALA_*", "makes Java load other code"],
  ["CARGO* RUST* GO* CGO_* DOTNET_* MSBUILD* NUGET_* COMPlus_* CORECLR_* COR_*", "makes a compiler or its tools run other programs"],
  ["CC CXX CPP LD AS AR NM FC RANLIB STRIP OBJCOPY CFLAGS CXXFLAGS CPPFLAGS LDFLAGS LDLIBS MAKE MAKE* MFLAGS GNUMAKEFLAGS CMAKE_* CCACHE_* DISTCC_* GCC_* COMPILER_PATH LIBRARY_PATH CPATH C_INCLUDE_PATH CPLUS_INCLUDE_PATH PKG_CONFIG* ACLOCAL* AUTO* M4 NINJA* MESON*", "changes which programs a build runs"],
  ["DOCKER_* BUILDKIT_* COMPOSE_* KUBE* HELM_* TF_* TERRAFORM_* AWS_* AZURE_* GOOGLE_* CLOUDSDK_* ANSIBLE_* VAGRANT_* PACKER_* CONTAINER* PODMAN_*", "makes a tool reach another place"],
  ["HTTP_PROXY HTTPS_PROXY ALL_PROXY NO_PROXY FTP_PROXY http_proxy https_proxy all_proxy no_proxy ftp_proxy CURL_* WGETRC SSL_* SSLKEYLOGFILE REQUESTS_CA_BUNDLE OPENSSL_* HOSTALIASES RES_OPTIONS LOCALDOMAIN RESOLV_*", "sends what programs fetch to another place"],
  ["RIPGREP_CONFIG_PATH GREP_OPTIONS FD_* FZF_* ACK* AG_* TAR_OPTIONS GZIP BZIP2 XZ_* ZSTD_* ZIPOPT UNZIP* RSYNC* PARALLEL* WATCH* LS_OPTIONS TREE_* JQ_* EXINIT VIMINIT VIM* MYVIMRC NVIM_* EMACS* GDB* LLDB_* STRACE* TERMINFO* TERMCAP TERMPATH GROFF_* MAN* INFOPATH", "gives a tool options of its own"],
  ["MAGIC LANGUAGE TEXTDOMAIN*", "names files that programs read, and show parts of"],
  ["DISPLAY DBUS_* WAYLAND_* XAUTHORITY TMUX* SCREEN* VSCODE_* TOOLHOST_*", "reaches another program that is running"],
];

const EXACT = new Map<string, string>();
const BEGINNINGS: (readonly [string, string])[] = [];
const ENDS: (readonly [string, string])[] = [];

for (const [names, reason] of VARIABLES) {
  for (const name of names.split(" ")) {
    if (name.startsWith("*")) {
      ENDS.push([name.slice(1), reason]);
    } else if (name.endsWith("*")) {
      BEGINNINGS.push([name.slice(0, -1), reason]);
    } else {
      EXACT.set(name, reason);
    }
  }
}

/** Names under a listed beginning that are no more than a choice of words or colours. */
const HARMLESS = new Set(["NODE_ENV", "RUST_BACKTRACE", "RUST_LOG", "GIT_TERMINAL_PROMPT", "GIT_OPTIONAL_LOCKS", "PYTHONUNBUFFERED", "PYTHONIOENCODING", "PYTHONUTF8", "PYTHONDONTWRITEBYTECODE", "GOOS", "GOARCH", "MANWIDTH", "CARGO_TERM_COLOR", "NO_COLOR"]);

/** Why setting a variable makes what runs uncertain; undefined when it does not. */
export function variableDoubt(name: string): string | undefined {
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) {
    return `\`${name.slice(0, 60)}\` is not the name of a variable`;
  }
  if (HARMLESS.has(name)) {
    return undefined;
  }
  const reason = EXACT.get(name) ?? BEGINNINGS.find(([beginning]) => name.startsWith(beginning))?.[1] ?? ENDS.find(([end]) => name.endsWith(end))?.[1];
  return reason === undefined ? undefined : `\`${name}\` ${reason}`;
}
