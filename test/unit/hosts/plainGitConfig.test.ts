import { execFileSync } from "node:child_process";
import { symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { isPlainGitConfig } from "../../../src/hosts/node/processes/plainGitConfig.js";
import { tempFolder } from "../tools/workspace.js";

const CORE = "[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = false\n\tlogallrefupdates = true\n";
const remote = (url: string): string =>
  `${CORE}[remote "origin"]\n\turl = ${url}\n\tfetch = +refs/heads/*:refs/remotes/origin/*\n`;

describe("a repository's settings are seen in a sandbox", () => {
  test.each([
    ["as Git makes them", CORE],
    ["with a public remote", remote("https://github.com/owner/name.git")],
    ["with a remote over SSH", remote("git@github.com:owner/name.git")],
    ["with an address of SSH", remote("ssh://git@example.com:2222/owner/name.git")],
    ["with a remote on disk", remote("/srv/git/name.git")],
    ["with branches", `${CORE}[branch "fix-#12;x"]\n\tremote = origin\n\tmerge = refs/heads/fix\n`],
    ["with submodules", `${CORE}[submodule "lib"]\n\turl = https://github.com/a/lib\n\tactive = true\n`],
    ["with a user and LFS", `${CORE}[user]\n\tname = A\n\temail = a@b.c\n[lfs]\n\trepositoryformatversion = 0\n`],
    [
      "as a clone in parts and GitHub's command line leave them",
      `${remote("https://github.com/a/b")}\tpromisor = true\n\tpartialclonefilter = blob:none\n\tgh-resolved = base\n`,
    ],
    ["with CRLF", remote("https://github.com/owner/name.git").replaceAll("\n", "\r\n")],
    ["that are empty", ""],
  ])("%s", async (_what, text) => {
    const folder = await tempFolder({ config: text });
    expect(await isPlainGitConfig(join(folder, "config"))).toBe(true);
  });

  test("as git init and git remote add write them", async () => {
    const folder = await tempFolder();
    const git = (...args: string[]): void => void execFileSync("git", ["-C", folder, ...args], { stdio: "pipe" });
    git("init", "-q");
    git("remote", "add", "origin", "https://github.com/owner/name.git");
    git("config", "pull.rebase", "true");
    expect(await isPlainGitConfig(join(folder, ".git/config"))).toBe(true);
  });
});

describe("a repository's settings are hidden in a sandbox", () => {
  test.each([
    ["with a password in an address", remote("https://me:hunter2@example.com/a.git")],
    ["with a token in place of a user", remote("https://ghp_x@github.com/a.git")],
    ["with a user name, which may be a token", remote("https://me@example.com/a.git")],
    ["with a password for SSH", remote("ssh://git:hunter2@example.com/a.git")],
    ["with a token after the path", remote("https://example.com/a.git?private_token=x")],
    ["with an address for a helper, of any words", remote("ext::sh -c pw")],
    ["with a header", `${CORE}[http "https://github.com/"]\n\textraheader = AUTHORIZATION: basic eDp5\n`],
    ["with a proxy", `${CORE}[http]\n\tproxy = http://me:pw@proxy:3128\n`],
    ["with a credential helper of its own", `${CORE}[credential]\n\thelper = "!echo password=x"\n`],
    ["with a command of SSH", `${CORE}\tsshCommand = sshpass -p pw ssh\n`],
    ["with a replaced address", `${CORE}[url "https://me:pw@example.com/"]\n\tinsteadOf = x:\n`],
    ["with a password in the name of a section", `${CORE}[branch "https://me:pw@x/y"]\n\tremote = o\n`],
    ["with an option for each push", `${CORE}[push]\n\tpushOption = ci.variable=TOKEN=hunter2\n`],
    ["with a pager of any words", `${CORE}\tpager = curl -u me:hunter2 example.com\n`],
    ["with a mail server's password", `${CORE}[sendemail]\n\tsmtpPass = pw\n`],
    ["with an alias", `${CORE}[alias]\n\tx = !curl -u me:pw example.com\n`],
    ["with a comment", `${CORE}# the password is hunter2\n`],
    ["with a comment after a value", `${CORE}\tabbrev = 8 ; hunter2\n`],
    ["with a secret's form in a value", `${CORE}[user]\n\tname = ghp_${"q6Yz7hR2bV9xK4mW8sT1"}${"nL5dF3gJ0pCeAuXo"}\n`],
    ["that Git would not understand", "password\n"],
    ["that are a password file", "machine example.com login me password hunter2\n"],
    ["that are too long to look at", `${CORE}${"[branch]\n".repeat(40_000)}`],
  ])("%s", async (_what, text) => {
    const folder = await tempFolder({ config: text });
    expect(await isPlainGitConfig(join(folder, "config"))).toBe(false);
  });

  test("that are a link, a folder, a pipe or nothing", async () => {
    const folder = await tempFolder({ other: CORE, "folder/x": "" });
    await symlink("other", join(folder, "link"));
    execFileSync("mkfifo", [join(folder, "pipe")]);
    for (const name of ["link", "folder", "pipe", "none"]) {
      expect(await isPlainGitConfig(join(folder, name)), name).toBe(false);
    }
    await writeFile(join(folder, "none"), CORE);
    expect(await isPlainGitConfig(join(folder, "none"))).toBe(true);
  });
});
