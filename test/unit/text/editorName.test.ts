import { expect, test } from "vitest";
import { editorName } from "../../../src/text/editorName.js";

test.each([
  ["read", "src/cart.js", "read “src cart.js”"],
  ["glob", "**/*.json", "glob “** *.json”"],
  ["exec", "cat a\nb", "exec “cat a b”"],
  ["read", "C:\\a\\Dockerfile", "read “C: a Dockerfile”"],
  ["ls", "", "ls"],
  ["", "Edit package.json", "“Edit package.json”"],
])("names an editor of %s %s so that no file's name stands at its end", (what, about, name) => {
  expect(editorName(what, about)).toBe(name);
});
