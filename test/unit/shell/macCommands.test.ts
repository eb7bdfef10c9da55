// Lines as agents write them on a Mac, whose programs are BSD's: flags that mean something else there than in GNU's. No
// platform is asked for: a line that only one of the two kinds of programs takes for harmless asks everywhere.
import { describe, expect, test } from "vitest";
import { world } from "../core/permission/permissionRig.js";

const { explain } = world();

const READS: readonly (readonly [line: string, why: string])[] = [
  ["ls -l@", "extended attributes; no flag of GNU's"],
  ["ls -leO@", "access lists and file flags"],
  ["ls -lT", "whole times; a tab size in GNU's"],
  ["stat -f %z a.txt", "a format; the file system in GNU's, which only tells of it"],
  ["stat -f '%N %Sp' a.txt", "a format"],
  ["stat -x a.txt", "as GNU's prints it"],
  ["stat -n -f %z a.txt", "without a line end"],
  ["find src -name '*.ts' -print0", "the same in both"],
  ["find -H src", "the same in both"],
  ["sed -E s/a/b/ a.txt", "the same in both"],
  ["sed -n 1,5p a.txt", "the same in both"],
  ["date -r 0 +%s", "a number is a time; a file in GNU's"],
  ["du -h -d1 src", "the same in both"],
  ["df -H", "the same in both"],
  ["base64 -i a.txt", "the file to read; a flag without a value in GNU's, and then the file"],
  ["tail -r a.txt", "backwards; no flag of GNU's"],
  ["cat -l a.txt", "locks what it prints to; no flag of GNU's"],
  ["ps aux", "without the environment in both"],
  ["ps -M", "threads; labels in GNU's"],
  ["ps -p 1 -o comm=", "the same in both"],
  ["shasum -a 256 a.txt", "Perl's, the same in both"],
  ["lsof -nP -iTCP -sTCP:LISTEN", "the same in both"],
  ["which -s git", "says nothing; no flag elsewhere"],
];

const ASKS: readonly (readonly [line: string, why: string])[] = [
  ["ps -E", "shows the environment, with its secrets"],
  ["ps -axE", "shows the environment"],
  ["ps -axEww", "shows the environment"],
  ["ps aux -E", "shows the environment"],
  ["ps eww", "shows the environment in both"],
  ["ps auxe", "shows the environment in both"],
  ["sed -I '' s/a/b/ a.txt", "edits in place; no flag of GNU's"],
  ["sed -i '' 'w .git/hooks/pre-commit' a.txt", "a script that writes a hook; a file in GNU's"],
  ["sed -i x 'w .git/hooks/pre-commit' a.txt", "the same with an ending"],
  ["sed -i '' 'w.git/hooks/pre-commit' a.txt", "without a blank"],
  ["sed -i '' '1w .git/config' a.txt", "with an address"],
  ["sed -i '' '/x/,$ w .git/config' a.txt", "with two addresses"],
  ["sed -i '' 's/a/b/w .git/config' a.txt", "a flag that writes"],
  ["sed -i '' 's,a,b,gw .git/config' a.txt", "two flags, another delimiter"],
  ["sed -i '' 'szazbzw .git/config' a.txt", "a letter as delimiter"],
  ["sed -i '' 's/[/]/b/w .git/config' a.txt", "a delimiter in brackets"],
  ["sed -i '' 'p;w .git/config' a.txt", "after another command"],
  ["sed -i '' $'p\\nw .git/config' a.txt", "on another line"],
  ["sed -i '' '{w .git/config' a.txt", "in a block"],
  ["sed -n -i p 'w .git/config' a.txt", "the ending is `p`"],
  ["sed --in-place p 'w /etc/x' a.txt", "outside"],
  ["sed -i '' 'r .env' a.txt", "copies a secret into a file"],
  ["sed -i '' 'r.env' a.txt", "the same without a blank"],
  ["sed -i p 'r ../secret' a.txt", "from outside"],
  ["sed -l -n p a.txt", "lines as they come; GNU's takes `-n` for a number"],
  ["find -E . -regex x", "GNU's takes no `-E`"],
  ["find -f src -- -delete", "a folder after `-f`, and then a deletion"],
  ["find -X src", "for xargs"],
  ["find src -delete", "deletes in both"],
  ["base64 -i a.txt -o b.txt", "writes a file"],
  ["base64 -i .env", "reads a secret"],
  ["date -j 010100002020", "GNU's would set the clock"],
  ["date 010100002020", "sets the clock in both"],
  ["grep -RS x src", "follows links; no flag of GNU's"],
  ["xargs -J % echo %", "no flag of GNU's"],
  ["arch -x86_64 ls", "runs a program"],
  ["sort a.txt -o b", "writes a file"],
  ["uniq a.txt b.txt", "writes a file"],
  ["tar -tf a.tar -s /a/b/", "GNU's `-s` is another"],
  ["caffeinate ls", "runs a program"],
  ["xcrun ls", "runs a program"],
  ["open a.txt", "runs a program"],
  ["osascript -e x", "runs a script"],
  ["say x", "speaks"],
  ["screencapture x.png", "shows the screen"],
  ["pbpaste", "shows the clipboard"],
  ["pbcopy", "replaces the clipboard"],
  ["security find-generic-password -w x", "shows a password"],
  ["security dump-keychain", "shows passwords"],
  ["defaults write x y z", "changes settings"],
  ["plutil -convert xml1 a.txt", "rewrites a file"],
  ["xattr -c a.txt", "removes attributes"],
  ["chflags hidden a.txt", "changes flags"],
  ["ditto a b", "copies"],
  ["cp -c a b", "copies"],
  ["launchctl load x", "starts a service"],
  ["diskutil eraseDisk x", "erases a disk"],
  ["sysctl -w kern.x=1", "changes the system"],
  ["tccutil reset All", "resets permissions"],
  ["textutil -convert txt a.txt", "writes a file"],
  ["sips -Z 100 a.png", "rewrites a picture"],
];

describe("on a Mac", () => {
  test.each(READS)("%s only reads: %s", async (command) => {
    expect(await explain("exec", { command })).toMatchObject({ decision: "allow" });
  });

  test.each(ASKS)("%s asks: %s", async (command) => {
    expect(await explain("exec", { command })).toMatchObject({ decision: "ask" });
  });

  test.each([
    "sed -i '' s/a/b/ a.txt",
    "sed -i '' -e s/a/b/ a.txt",
    "sed -i s/a/b/ webpack.config.js",
    "sed -i s/a/b/ src/routes.ts",
    "sed -i s/a/b/ readme.md",
    "sed -i s/a/b/ web/src/a.ts",
    "sed -i s/a/b/ 'src/[id]/route.ts'",
    "sed -i s/a/b/ show/raw/window.ts",
    "sed -i 's/a/b/' a.txt src/a.ts",
  ])("%s is the same edit as before", async (command) => {
    expect(await explain("exec", { command })).toMatchObject({ decision: "allow" });
  });
});
