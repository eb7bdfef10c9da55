import { expect, test } from "vitest";
import { world } from "./permissionRig.js";

/**
 * Other version control systems run what a repository's own configuration names (`.hg/hgrc`, `.jj/repo/config.toml`,
 * `.svn`): none of them is proven to read.
 */
const OTHERS = [
  "hg status",
  "hg log",
  "hg --version",
  "hg diff",
  "svn status",
  "svn diff",
  "svn info",
  "jj st",
  "jj log",
  "jj --version",
  "fossil status",
  "fossil diff",
  "bzr st",
  "cvs status",
  "darcs whatsnew",
  "p4 opened",
];

test.each(OTHERS)("%s asks", async (command) => {
  expect(await world().explain("exec", { command })).toMatchObject({ decision: "ask" });
});
