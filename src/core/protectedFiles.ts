import { Minimatch } from "minimatch";

interface FileRule {
  /** Why a person should look. Completes «src/x is protected: …». */
  why: string;
  globs: readonly string[];
}

/**
 * Files a change of which can run code or change who may do what, later and unseen. Every change asks,
 * whatever else is allowed. VS Code's own list (`chat.tools.edits.autoApprove`, 1.139) and the records of
 * published attacks on agents (CVE-2025-53773, -64660, -53536, -54135).
 */
const PROTECTED: readonly FileRule[] = [
  { why: "Git runs hooks and filters from it", globs: ["**/.git/**", "**/.git", "**/.gitattributes", "**/.husky/**"] },
  {
    why: "it configures the editor, which runs what it names",
    globs: [
      "**/.vscode/*.json",
      "**/*.code-workspace",
      "**/.devcontainer/**",
      "**/.devcontainer.json",
      "**/.idea/**",
      // The user's own settings, where a home folder is the workspace.
      "**/{Code,Code - *,VSCodium,Cursor}/User/**",
      "**/.vscode-server*/data/{Machine,User}/**",
    ],
  },
  {
    why: "it configures agents and their tools",
    globs: [
      "**/.mcp.json",
      "**/mcp.json",
      "**/.toolhost/tools.json",
      "**/.toolhost/schedules/**",
      "**/.cursor/**",
      "**/.claude/agents/**",
      "**/.claude/settings*.json",
      "**/.codex/agents/**",
      "**/.codex/config.toml",
      "**/.codex/hooks.json",
      "**/.github/agents/**",
      "**/.github/hooks/**",
      "**/AGENTS.md",
      "**/CLAUDE.md",
      "**/copilot-instructions.md",
      "**/*.instructions.md",
      "**/*.prompt.md",
      "**/.agents/**",
      "**/SKILL.md",
    ],
  },
  { why: "it runs in continuous integration", globs: ["**/.github/workflows/**", "**/.gitlab-ci.yml", "**/.ci/**"] },
  {
    why: "the build or the package manager runs what it names",
    globs: [
      "**/{package.json,server.xml,build.rs,web.config,Cargo.toml,gradle.properties}",
      "**/{.npmrc,.yarnrc,.yarnrc.yml,pnpm-workspace.yaml}",
      "**/.pnpmfile.{js,cjs,mjs}",
      // rustup and cargo run the toolchain and the tools that these name.
      "**/rust-toolchain{,.toml}",
      "**/.cargo/config{,.toml}",
      "**/*.{csproj,fsproj,vbproj,vcxproj,proj,targets,props,gradle,gradle.kts}",
      "**/ruby_lsp/**/addon.rb",
    ],
  },
  { why: "it pins what is installed", globs: ["**/*.lock", "**/*-lock.{yaml,json}"] },
  {
    why: "a shell runs it",
    globs: ["**/.envrc", "**/{.bashrc,.bash_profile,.bash_login,.profile,.zshrc,.zshenv,.zprofile,.inputrc}", "**/config.fish"],
  },
  { why: "programs take their settings from it", globs: ["**/.env", "**/.env.*"] },
  // `*` was looked up when a command was decided on, which may run later.
  { why: "a pattern such as `*` makes a flag of its name", globs: ["**/-*", "**/-*/**"] },
];

/** Files that hold keys and passwords. Reading them asks, and searches leave them out. */
export const SECRET: readonly FileRule[] = [
  { why: "it may hold passwords or keys", globs: ["**/.env", "**/.env[._-]*", "**/.envrc", "**/.netrc", "**/_netrc", "**/.npmrc", "**/.pypirc", "**/.pgpass"] },
  { why: "it may hold a private key", globs: ["**/*.pem", "**/*.key", "**/*.p12", "**/*.pfx", "**/id_{rsa,dsa,ecdsa,ed25519}*", "**/id_*"] },
  {
    why: "it holds credentials",
    // The folders themselves, too: a link to one may have any name.
    globs: ["**/.ssh", "**/.ssh/**", "**/.aws", "**/.aws/**", "**/.gnupg", "**/.gnupg/**", "**/.kube/config", "**/.docker/config.json", "**/.git-credentials"],
  },
];

/** Samples of settings, public keys, and sources whose name happens to begin like a key's. */
const NOT_SECRET: readonly FileRule[] = [{ why: "", globs: ["**/.env[._-]{example,sample,template,dist}", "**/id_*.pub", "**/id_!(rsa*|dsa*|ecdsa*|ed25519*).*"] }];

/** What globs are made of costs a window ten milliseconds of its start: it waits for the first path. */
const compiled = new Map<readonly FileRule[], CompiledRule[]>();

/**
 * Why a change of a file always asks, or undefined when it is an ordinary file.
 *
 * @param path relative to the workspace, with `/`
 */
export function protectedReason(path: string): string | undefined {
  return firstMatch(PROTECTED, path);
}

/**
 * Something that every path of SECRET has, in lower case. A search asks for every file it covers: 20,000 names against the
 * globs take 43 ms, half of the search.
 */
const MAY_BE_SECRET = /[._]env|netrc|\.(?:npm|pyp|pgp|pem|key|p12|pfx|ssh|aws|gnupg|kube|docker|git-cred)|(?:^|\/)id_/;

/** Why reading a file asks, or undefined when it is an ordinary file. */
export function secretReason(path: string): string | undefined {
  if (!MAY_BE_SECRET.test(path.toLowerCase())) {
    return undefined;
  }
  const why = firstMatch(SECRET, path);
  return why !== undefined && firstMatch(NOT_SECRET, path) === undefined ? why : undefined;
}

/**
 * Globs that every file below a folder fits, in any case, for whose path there is a `secretReason`: an engine that lists
 * files by them prints a few names instead of all. What fits one may be no secret.
 *
 * @param folders the folder's path, and other names it has
 * @returns undefined where the folder's own path may be what makes files secret: all that lies below `.aws` is
 */
export function secretGlobs(folders: readonly string[]): readonly string[] | undefined {
  return folders.some((folder) => MAY_BE_SECRET.test(folder.toLowerCase())) ? undefined : SECRET.flatMap(({ globs }) => globs);
}

interface CompiledRule {
  why: string;
  matchers: Minimatch[];
}

function compile(rules: readonly FileRule[]): CompiledRule[] {
  return rules.map(({ why, globs }) => ({
    why,
    // Without `dot`, `**` misses .vscode; without `nocase`, .GIT/hooks slips through on macOS and Windows.
    matchers: globs.map((glob) => new Minimatch(glob, { dot: true, nocase: true, nocomment: true, nonegate: true })),
  }));
}

function firstMatch(rules: readonly FileRule[], path: string): string | undefined {
  let ready = compiled.get(rules);
  if (ready === undefined) {
    ready = compile(rules);
    compiled.set(rules, ready);
  }
  return ready.find(({ matchers }) => matchers.some((matcher) => matcher.match(path)))?.why;
}
