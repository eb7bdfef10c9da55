import fc from "fast-check";
import { braceExpand, Minimatch } from "minimatch";
import { describe, expect, test } from "vitest";
import { protectedReason, secretReason } from "../../../../src/core/paths/protectedFiles.js";
import { SECRET as SECRET_RULES } from "../../../../src/core/paths/secretNames.js";

const PROTECTED = [
  // A command that is to read `*` would take it for a flag.
  "-r",
  "src/--output=notes.md",
  "--output=.x/config",
  // VS Code's own list (chat.tools.edits.autoApprove).
  ".git/config",
  ".git/hooks/pre-commit",
  "vendor/lib/.git/config",
  ".git",
  ".vscode/settings.json",
  "packages/a/.vscode/tasks.json",
  ".mcp.json",
  "package.json",
  "packages/a/package.json",
  "server.xml",
  "build.rs",
  "web.config",
  ".gitattributes",
  ".env",
  "Cargo.toml",
  ".npmrc",
  ".yarnrc",
  ".yarnrc.yml",
  ".pnpmfile.js",
  ".pnpmfile.cjs",
  ".pnpmfile.mjs",
  "pnpm-workspace.yaml",
  "my.code-workspace",
  "a/App.csproj",
  "App.fsproj",
  "App.vbproj",
  "App.vcxproj",
  "App.proj",
  "Directory.Build.targets",
  "Directory.Build.props",
  "build.gradle",
  "rust-toolchain.toml",
  "sub/rust-toolchain",
  ".cargo/config.toml",
  ".cargo/config",
  "build.gradle.kts",
  "gradle.properties",
  "yarn.lock",
  "Cargo.lock",
  "pnpm-lock.yaml",
  "package-lock.json",
  ".github/agents/a.md",
  ".github/hooks/a.json",
  ".claude/agents/a.md",
  ".claude/settings.json",
  ".claude/settings.local.json",
  ".codex/agents/a.toml",
  ".codex/config.toml",
  ".codex/hooks.json",
  "lib/ruby_lsp/my/addon.rb",
  // What attacks on agents wrote.
  ".cursor/mcp.json",
  ".cursor/rules/a.mdc",
  ".devcontainer/devcontainer.json",
  ".devcontainer/Dockerfile",
  ".husky/pre-commit",
  ".github/workflows/ci.yml",
  ".vscode/mcp.json",
  "mcp.json",
  "AGENTS.md",
  "docs/AGENTS.md",
  "CLAUDE.md",
  ".github/copilot-instructions.md",
  ".github/instructions/style.instructions.md",
  ".envrc",
  ".bashrc",
  ".zshrc",
  ".profile",
  ".toolhost/tools.json",
  "own-state/users-tools.json",
  "own-state/toolhost.js",
  ".toolhost/schedules/daily.md",
  ".config/Code/User/settings.json",
  ".config/Code - Insiders/User/keybindings.json",
  ".vscode-server/data/Machine/settings.json",
  // What instructs agents later.
  ".toolhost/MEMORY.md",
  ".toolhost/tasks/fix-the-login.md",
  "GEMINI.md",
  "CLAUDE.local.md",
  ".cursorrules",
  ".clinerules",
  ".clinerules/a.md",
  ".windsurfrules",
  ".gemini/settings.json",
  ".copilot/mcp-config.json",
  ".config/zed/settings.json",
  ".kiro/steering/a.md",
  ".continue/config.yaml",
  ".roo/rules/a.md",
  ".github/chatmodes/a.chatmode.md",
  ".github/prompts/a.prompt.md",
  // What runs code later.
  ".github/actions/setup/action.yml",
  ".circleci/config.yml",
  "Jenkinsfile",
  ".gitlab-ci.yml",
  "azure-pipelines.yml",
  ".travis.yml",
  "bitbucket-pipelines.yml",
  ".pre-commit-config.yaml",
  "lefthook.yml",
  ".lefthook.toml",
  ".githooks/pre-commit",
  ".yarn/releases/yarn-4.0.0.cjs",
  ".pnp.cjs",
  ".mvn/jvm.config",
  ".mvn/wrapper/maven-wrapper.properties",
  "gradle/wrapper/gradle-wrapper.properties",
  "gradlew",
  "mvnw",
  "mvnw.cmd",
  ".gitmodules",
  ".gitconfig",
  ".venv/bin/pip",
  ".venv/lib/python3.11/site-packages/zz.pth",
  "venv/pyvenv.cfg",
  "lib/x.pth",
  "sitecustomize.py",
  ".tool-versions",
  "mise.toml",
  ".mise.local.toml",
  ".config/mise/config.toml",
  ".nvmrc",
  ".python-version",
  ".ruby-version",
  "rust-toolchain.toml",
  ".poetry/plugins/x.py",
  ".pdm-plugins/lib/x.pth",
  "node_modules/.bin/ls",
  "global.json",
  ".hg/hgrc",
  ".gdbinit",
  ".ripgreprc",
];

const SECRET = [
  ".env",
  ".env.local",
  ".env.production",
  "config/.env",
  ".envrc",
  "server.pem",
  "certs/key.pem",
  "tls.key",
  "id_rsa",
  "keys/id_ed25519",
  "id_ecdsa_sk",
  "id_rsa.bak",
  "id_ed25519.txt",
  "keys/ID_RSA.old",
  "id_custom",
  ".env-prod",
  ".env_local",
  ".aws",
  ".ssh",
  ".ssh/config",
  ".ssh/known_hosts",
  ".aws/credentials",
  ".netrc",
  "_netrc",
  ".npmrc",
  ".pypirc",
  ".git-credentials",
  ".kube/config",
  ".docker/config.json",
  "certs/id_deploy.pem",
  "certs/id_server.key",
  ".ssh/id_github.old",
  ".git/config",
  ".git/modules/lib/config",
  "prod.env",
  "deploy/web.env",
  ".env~",
  ".envlocal",
  ".env.production.local",
  ".flaskenv",
  ".dev.vars",
  ".cargo/credentials.toml",
  ".config/gh/hosts.yml",
  ".streamlit/secrets.toml",
  ".yarnrc.yml",
  ".htpasswd",
  ".vault-token",
  "AuthKey_ABC.p8",
  "release.jks",
  "debug.keystore",
  "passwords.kdbx",
  "server.ppk",
  "private.asc",
  "my-secret-key.asc",
  "credentials.json",
  "service-account.json",
  "service_account_prod.json",
  "my-project-firebase-adminsdk-x1.json",
  "client_secret_1.json",
  "secrets.yml",
  "config/secrets.yaml",
  "terraform.tfvars",
  "prod.auto.tfvars",
  "terraform.tfstate",
  "terraform.tfstate.backup",
  "kubeconfig",
  ".dockercfg",
  ".bash_history",
  ".zsh_history",
  ".python_history",
  "wp-config.php",
  "local.settings.json",
  "pgpass.conf",
  ".my.cnf",
  ".azure/accessTokens.json",
  ".config/gcloud/credentials.db",
  // Copies that editors and people leave behind.
  "server.pem.bak",
  "server.key~",
  ".server.pem.swp",
  "prod.env.old",
  // Our own state, where a home folder is the workspace, or TOOLHOST_STATE a folder in one.
  ".local/state/toolhost/workspaces/0123456789abcdef0123456789abcdef/state.db",
  ".local/state/toolhost/code/v24/419876a4",
  "Library/Application Support/toolhost/locks.db",
  "AppData/Local/toolhost/locks.db",
  "mine/workspaces/0123456789abcdef0123456789abcdef/state.db-wal",
  "mine/workspaces/0123456789abcdef0123456789abcdef/knowledge-2.db",
  "mine/workspaces/0123456789abcdef0123456789abcdef/commands/123-456-0a1b2c3d/7.snapshot",
  "mine/workspaces/0123456789abcdef0123456789abcdef/results/r0123456789ab.txt",
];

/** Other spellings that some file systems take for the same file, and other places of it. */
function spellings(path: string): string[] {
  return [path, path.toUpperCase(), `deep/er/${path}`, `.hidden/${path}`, `/beside/${path}`];
}

test.each(PROTECTED)("a change of %s always asks, in any case and at any depth", (path) => {
  expect(spellings(path).filter((spelling) => protectedReason(spelling) === undefined)).toEqual([]);
});

test.each(SECRET)("reading %s asks, in any case and at any depth", (path) => {
  expect(spellings(path).filter((spelling) => secretReason(spelling) === undefined)).toEqual([]);
});

test.each([
  ".env.example",
  ".env.sample",
  ".env.template",
  "app/.env.dist",
  "id_rsa.pub",
  ".env.EXAMPLE",
  "prod.env.example",
  "example.env",
  ".dev.vars.example",
  "terraform.tfvars.example",
  "example.tfvars",
  "wp-config-sample.php",
  "secrets.yml.example",
  "config/credentials.yml.enc",
  "release-key.asc",
])("%s is a sample, not a secret", (path) => {
  expect(secretReason(path)).toBeUndefined();
});

describe("ordinary files", () => {
  test.each([
    ".",
    "a",
    "environment.ts",
    ".environment",
    "src/env/browser.ts",
    "env",
    "my.env.ts",
    "package.json.md",
    "package.json5",
    "my-package.json",
    "packages.json",
    "keyboard.ts",
    "keys.ts",
    "src/key/a.ts",
    "monkey",
    "valid_rsa.ts",
    "src/id_generator.ts",
    "git/config",
    ".github/README.md",
    ".gitignore",
    ".github/ISSUE_TEMPLATE/bug.md",
    "src/.vscodeignore",
    ".vscode/notes.md",
    "vscode/settings.json",
    "settings.json",
    "User/settings.json",
    "src/user/settings.json",
    "lock",
    "lock.ts",
    "block.json",
    "clock",
    "src/unlocked.yaml",
    "props.ts",
    "gradle.md",
    "claude/settings.json",
    ".claude/notes.md",
    "agents/a.md",
    "AGENTS.md.bak",
    "instructions.md",
    "ssh/config",
    "aws/credentials.ts",
    "mcp.json.ts",
    "src/husky.ts",
    "docs/cursor/a.md",
    "profile",
    "src/profile.ts",
    ".toolhost/memory/build.md",
    ".toolhost/context/notes.md",
    "tasks/a.md",
    "MEMORY.md",
    "docs/gemini.ts",
    "conftest.py",
    "Makefile",
    "environments/prod.ts",
    "src/credentials.ts",
    "src/credentials/index.ts",
    "secrets/index.ts",
    "service-account.ts",
    "keystore.ts",
    "README.asc",
    "history.md",
    "src/_history.ts",
    ".environment",
  ])("%s", (path) => {
    expect([protectedReason(path), secretReason(path)]).toEqual([undefined, undefined]);
  });
});

test.each([
  { path: ".git/hooks/x", why: "Git runs hooks and filters from it" },
  { path: ".vscode/settings.json", why: "the editor reads settings from this file and runs programs it names" },
  { path: "yarn.lock", why: "it pins what is installed" },
])("$path: $why", ({ path, why }) => {
  expect(protectedReason(path)).toBe(why);
});

test("a hostile name is a name, no pattern", () => {
  for (const path of ["**", "{a,b}", "!(x)", "[", "a".repeat(4_000), "\n", "#", "!.env"]) {
    expect(protectedReason(path)).toBeUndefined();
  }
});

test("no path that a secret's glob fits is passed over by the quick look", () => {
  const globs = SECRET_RULES.flatMap((rule) => rule.globs).flatMap((glob) => braceExpand(glob));
  const letter = fc.constantFrom("a", "B", ".", "_", "-", "1", "é");
  const filled = fc
    .tuple(
      fc.constantFrom(...globs),
      fc.array(letter, { maxLength: 4 }),
      fc.boolean(),
      fc.constantFrom("", "d/", ".x/y/"),
    )
    .map(([glob, fill, upper, folder]) => {
      const path = glob
        .replace("**/", folder)
        .replace("[._-]", ".")
        .replace("/**", "/f")
        .replaceAll("*", fill.join(""));
      return upper ? path.toUpperCase() : path;
    });
  fc.assert(
    fc.property(filled, (path) => {
      const fits = globs.some((glob) =>
        new Minimatch(glob, { dot: true, nocase: true, nocomment: true, nonegate: true }).match(path),
      );
      const isException = /example|sample|template|dist|\.pub$|(^|\/)id_.*\.|(^|\/)\.env(ironment|oy)/i.test(path);
      expect(secretReason(path) !== undefined || isException || !fits).toBe(true);
    }),
    { numRuns: 2_000 },
  );
});
