import { expect, test } from "vitest";
import { editorName } from "../../../src/text/editorName.js";

test.each([
  ["read", "src/cart.js", "read “src\u2215cart.js”"],
  ["glob", "**/*.json", "glob “**\u2215*.json”"],
  ["exec", "cat a\nb", "exec “cat a b”"],
  ["read", "C:\\a\\Dockerfile", "read “C:\u2216a\u2216Dockerfile”"],
  ["ls", "", "ls"],
  ["", "Edit package.json", "“Edit package.json”"],
])("names an editor of %s %s so that no file's name stands at its end", (what, about, name) => {
  expect(editorName(what, about)).toBe(name);
});
