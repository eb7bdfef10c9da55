import { expect, test } from "vitest";
import { commandLink } from "../../../../src/doors/chat/commandLink.js";

test.each([
  { uri: "toolhost-result:/%E2%80%9Cwho%3F%E2%80%9D?1" },
  { stored: "a b", title: 'echo 100% (done) "x" 50%25 #1' },
])("a link's argument arrives as it is, also decoded twice as VS Code does: %j", (argument) => {
  const [, target = ""] = /^\[Open\]\(command:c\?(\S+) "Open"\)$/.exec(commandLink("Open", "c", argument)) ?? [];
  expect(JSON.parse(decodeURIComponent(target))).toEqual([argument]);
  expect(JSON.parse(decodeURIComponent(decodeURIComponent(target)))).toEqual([argument]);
});
