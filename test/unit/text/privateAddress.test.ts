import { expect, test } from "vitest";
import { isPrivateAddress, isPrivateHost } from "../../../src/text/privateAddress.js";

test.each([
  "127.0.0.1",
  "10.1.2.3",
  "172.16.0.1",
  "172.31.255.255",
  "192.168.0.1",
  "169.254.169.254",
  "100.64.0.1",
  "0.0.0.0",
  "224.0.0.1",
  "255.255.255.255",
  "::",
  "::1",
  "fe80::1%eth0",
  "fd00::1",
  "::ffff:127.0.0.1",
  "::ffff:7f00:1",
  "64:ff9b::10.0.0.1",
  "2002:7f00:1::",
  "2001:db8::1",
  "2606:4700::5efe:10.0.0.1",
  "2606:4700::200:5efe:7f00:1",
  "2001::1",
  "ff02::1",
  "1.2.3",
  "1:2:3",
  "1::2::3",
  "x",
  "",
])("%s is not public", (address) => {
  expect(isPrivateAddress(address)).toBe(true);
});

test.each([
  "1.1.1.1",
  "172.15.0.1",
  "172.32.0.1",
  "192.169.0.1",
  "100.128.0.1",
  "2606:4700::1111",
  "::ffff:8.8.8.8",
  "64:ff9b::808:808",
  "2002:808:808::1",
])("%s is public", (address) => {
  expect(isPrivateAddress(address)).toBe(false);
});

test.each([
  ["localhost", true],
  ["a.localhost", true],
  ["LOCALHOST.", true],
  ["printer.local", true],
  ["metadata.google.internal", true],
  ["intranet", true],
  [new URL("http://0x7f.1").hostname, true],
  [new URL("http://2130706433").hostname, true],
  [new URL("http://[::ffff:10.0.0.1]").hostname, true],
  [new URL("http://[2606:4700::1111]").hostname, false],
  ["example.com", false],
  ["localhost.example.com", false],
])("host %s: %s", (host, isPrivate) => {
  expect(isPrivateHost(host)).toBe(isPrivate);
});
