import { expect, test } from "vitest";
import { withoutSecondName } from "../../../../src/doors/chat/addressed.js";

test.each([
  ["make it louder", undefined, "make it louder", undefined],
  ["@toolhost make it louder", undefined, "make it louder", undefined],
  [" @toolhost\nmake it\nlouder ", undefined, "make it\nlouder ", undefined],
  ['@toolhost /run edit {"path": "a.ts"}', undefined, 'edit {"path": "a.ts"}', "run"],
  ["@toolhost /tools", undefined, "", "tools"],
  ["@toolhost", undefined, "", undefined],
  ["@toolhost /etc/hosts, what is it?", undefined, "/etc/hosts, what is it?", undefined],
  ["@toolhost /nonsense x", undefined, "/nonsense x", undefined],
  ["/run edit {}", undefined, "/run edit {}", undefined],
  ["@toolhosts /run x", undefined, "@toolhosts /run x", undefined],
  ["who is @toolhost /run x", undefined, "who is @toolhost /run x", undefined],
  ["@toolhost @toolhost /tools", undefined, "@toolhost /tools", undefined],
  // VS Code has read a command: what follows is its input.
  ["@toolhost is our name", "remember", "@toolhost is our name", "remember"],
])("%j with the command %s is %j with %s", (prompt, command, without, meant) => {
  expect(withoutSecondName({ prompt, command })).toEqual({ prompt: without, command: meant });
});
