import type { FileRule } from "./fileRules.js";

/**
 * Files that, when changed, can run code, change permissions, or instruct an agent, later and unseen. Sources: VS
 * Code's own list (`chat.tools.edits.autoApprove`, 1.139), reports of published attacks on agents (CVE-2025-53773,
 * -64660, -53536, -54135), and the manuals of the tools named here. Ordinary sources that a test or a build runs
 * (`conftest.py`, `Makefile`, `vite.config.ts`) are not included: the command that runs them needs approval, and
 * nothing runs them automatically.
 */
export const PROTECTED: readonly FileRule[] = [
  {
    why: "Git runs hooks and filters from it",
    globs: [
      "**/.git/**",
      "**/.git",
      "**/.gitattributes",
      "**/.gitmodules",
      "**/.gitconfig",
      "**/.config/git/**",
      "**/.lfsconfig",
      "**/.husky/**",
      "**/{.githooks,.git-hooks,githooks,git-hooks}/**",
    ],
  },
  { why: "version control runs programs this file names", globs: ["**/{.hg,.svn,.jj}/**", "**/{.hgrc,.hgsub}"] },
  {
    why: "commits run this file or programs it names",
    globs: [
      "**/.pre-commit-{config,hooks}.{yaml,yml}",
      "**/{,.}lefthook{,-local}.{yml,yaml,toml,json}",
      "**/.lefthook{,-local}/**",
      "**/.overcommit.yml",
      "**/.{simple-git-hooks,lintstagedrc}*",
      "**/{simple-git-hooks,lint-staged.config}.*",
    ],
  },
  {
    why: "the editor reads settings from this file and runs programs it names",
    globs: [
      "**/.vscode/*.json",
      "**/*.code-workspace",
      "**/.devcontainer/**",
      "**/.devcontainer.json",
      "**/.idea/**",
      "**/{.zed,.config/zed}/**",
      "**/{.gitpod.yml,.replit}",
      "**/{.exrc,.vimrc,.nvimrc,.nvim.lua,.dir-locals.el}",
      // The user's own settings, if a home folder is the workspace.
      "**/{Code,Code - *,VSCodium,Cursor}/User/**",
      "**/.vscode-server*/data/{Machine,User}/**",
    ],
  },
  {
    why: "it configures agents and their tools",
    globs: [
      "**/{.mcp,mcp}.json",
      "**/.toolhost/tools.json",
      "**/.toolhost/schedules/**",
      // In Toolhost's state, wherever that is: the user's tools, and what other agents start.
      "**/{users-tools.json,toolhost.js}",
      "**/.claude/{agents,commands,hooks,rules,skills,plugins,output-styles}/**",
      "**/.claude/settings*.json",
      "**/.codex/{agents,rules,prompts,skills}/**",
      "**/.codex/{config.toml,hooks.json}",
      "**/.github/{agents,hooks,copilot,prompts,chatmodes,skills}/**",
      "**/{.cursor,.copilot,.gemini,.kiro,.continue,.windsurf,.roo,.kilocode,.junie,.amazonq,.augment,.trae,.qoder,.qwen,.goose,.opencode,.openhands,.factory,.crush,.agents,.agent}/**",
      "**/{opencode,crush,.crush}.{json,jsonc}",
      "**/{.aider.conf.yml,.roomodes,.mentat_config.json}",
    ],
  },
  {
    why: "it instructs agents",
    globs: [
      "**/{AGENTS,AGENT,CLAUDE,GEMINI,QWEN,CRUSH,WARP,OPENHANDS}.md",
      "**/{AGENTS.override,CLAUDE.local,AGENTS.local}.md",
      "**/{copilot-instructions,git-commit-instructions}.md",
      "**/*.{instructions,prompt,chatmode,agent}.md",
      "**/SKILL.md",
      "**/{.cursorrules,.windsurfrules,.continuerules,.goosehints,.rules,.augment-guidelines}",
      // A file or a folder.
      "**/.clinerules",
      "**/.clinerules/**",
      "**/.{clinerules,roorules}-*",
      "**/.roorules",
      // Read by the model of every later session, and processed by sessions of their own (docs/documents.md).
      "**/.toolhost/MEMORY.md",
      "**/.toolhost/tasks/**",
    ],
  },
  {
    why: "it runs in continuous integration",
    globs: [
      "**/.github/{workflows,actions}/**",
      "**/.{gitea,forgejo}/{workflows,actions}/**",
      "**/.gitlab-ci*.{yml,yaml}",
      "**/{.gitlab/ci,.ci,.circleci,.buildkite,.azure-pipelines,.woodpecker,.teamcity,.semaphore,.tekton}/**",
      "**/Jenkinsfile*",
      "**/{azure-pipelines,bitbucket-pipelines,cloudbuild,buildspec,codemagic}*.{yml,yaml}",
      "**/{.travis,.appveyor,appveyor,.drone,.woodpecker,.cirrus}.{yml,yaml}",
    ],
  },
  {
    why: "the build or the package manager runs this file or programs it names",
    globs: [
      "**/{package.json,server.xml,build.rs,web.config,Cargo.toml,gradle.properties,bunfig.toml,deno.json,deno.jsonc,global.json,nuget.config}",
      "**/{.npmrc,.yarnrc,.yarnrc.yml,pnpm-workspace.yaml}",
      "**/.pnpmfile.{js,cjs,mjs}",
      "**/.yarn/{releases,plugins,sdks}/**",
      "**/.pnp.{cjs,js,loader.mjs}",
      // rustup and cargo run the toolchain and the tools that these name.
      "**/rust-toolchain{,.toml}",
      "**/.cargo/config{,.toml}",
      "**/*.{csproj,fsproj,vbproj,vcxproj,proj,targets,props,gradle,gradle.kts}",
      "**/{gradlew,gradlew.bat,mvnw,mvnw.cmd}",
      "**/{.mvn,gradle/wrapper}/**",
      "**/.bazel{rc,version}",
      "**/.bundle/config",
      "**/poetry.toml",
      "**/ruby_lsp/**/addon.rb",
    ],
  },
  {
    why: "the project's programs load code from it automatically",
    // Plugins of Poetry and PDM; code that Python runs at startup; programs that come first in PATH once such an
    // environment is activated.
    globs: [
      "**/{.poetry,.pdm-plugins,.venv,venv}/**",
      "**/pyvenv.cfg",
      "**/*.pth",
      "**/{sitecustomize,usercustomize}.py",
      "**/node_modules/.bin/**",
    ],
  },
  {
    why: "it chooses which programs run",
    globs: [
      "**/.tool-versions",
      "**/{.,}{mise,rtx}{,.*}.toml",
      "**/{.mise,mise,.config/mise}/**/*.toml",
      "**/.{python,node,ruby,java,go,php,perl,lua,terraform,swift,pdm}-{version,python}",
      "**/{.nvmrc,.sdkmanrc,.prototools,.pdm-python}",
    ],
  },
  { why: "it pins what is installed", globs: ["**/*.lock", "**/*-lock.{yaml,json}"] },
  {
    why: "a shell or debugger runs it",
    globs: [
      "**/.envrc",
      "**/{.bashrc,.bash_profile,.bash_login,.bash_logout,.bash_aliases,.profile,.zshrc,.zshenv,.zprofile,.zlogin,.zlogout,.kshrc,.cshrc,.tcshrc,.inputrc}",
      "**/config.fish",
      "**/{.gdbinit,.lldbinit,.pdbrc,.irbrc,.pryrc,.psqlrc,.sqliterc}",
    ],
  },
  { why: "programs read settings from it", globs: ["**/.env", "**/.env.*", "**/.ripgreprc"] },
  // `*` was expanded when a command was decided on, which may run later.
  {
    why: "a pattern such as `*` can expand to this name, which programs then read as a flag",
    globs: ["**/-*", "**/-*/**"],
  },
];
