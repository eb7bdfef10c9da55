import { describe, expect, test } from "vitest";
import { AllowedHosts, hostName, readHosts } from "../../../../src/text/hosts/allowedHosts.js";
import { hostsOf, presets } from "../../../../src/text/hosts/presets.js";

describe("the list of allowed hosts", () => {
  test.each<[entry: string, host: string, port: number, isAllowed: boolean]>([
    ["api.example.com", "api.example.com", 443, true],
    ["api.example.com", "api.example.com", 80, true],
    ["api.example.com", "api.example.com", 22, false],
    ["api.example.com", "api.example.com", 8443, false],
    ["api.example.com", "x.api.example.com", 443, false],
    ["api.example.com", "example.com", 443, false],
    ["api.example.com", "api.example.com.evil.test", 443, false],
    ["api.example.com", "evilapi.example.com", 443, false],
    ["API.Example.COM.", "api.example.com", 443, true],
    [" api.example.com ", "api.example.com", 443, true],
    ["api.example.com:8443", "api.example.com", 8443, true],
    ["api.example.com:8443", "api.example.com", 443, false],
    ["*.example.com", "a.example.com", 443, true],
    ["*.example.com", "a.b.example.com", 443, true],
    ["*.example.com", "example.com", 443, false],
    ["*.example.com", "aexample.com", 443, false],
    ["*.example.com:9", "a.example.com", 9, true],
    ["bücher.example", "xn--bcher-kva.example", 443, true],
    ["*.BÜCHER.example", "a.xn--bcher-kva.example", 443, true],
    ["registries", "registry.npmjs.org", 443, true],
    ["Registries", "files.pythonhosted.org", 443, true],
    ["registries", "npmjs.org", 443, false],
    ["npm", "registry.npmjs.org", 443, true],
    ["npm", "pypi.org", 443, false],
  ])("%s: %s:%d is allowed: %s", (entry, host, port, isAllowed) => {
    const { hosts, problems } = readHosts([entry]);
    expect(problems).toEqual([]);
    expect(hosts.allows(host, port)).toBe(isAllowed);
  });

  test.each<[entry: unknown, why: RegExp]>([
    ["", /is no host\. Give a name such as/],
    ["*", /is no host/],
    ["*.", /is no host/],
    ["*.com", /stands for everybody's names/],
    ["a.*.example.com", /is no host/],
    ["api*.example.com", /is no host/],
    ["**.example.com", /is no host/],
    ["https://api.example.com", /Give its host alone/],
    ["api.example.com/path", /is no host/],
    ["user@api.example.com", /is no host/],
    ["api.example.com:0", /from 1 to 65535/],
    ["api.example.com:70000", /from 1 to 65535/],
    ["api.example.com:", /is no host/],
    ["api..example.com", /is no host/],
    ["-a.example.com", /is no host/],
    ["a b.example.com", /is no host/],
    ["registry", /is no host.*registries/],
    ["127.0.0.1", /is an address/],
    ["93.184.216.34:443", /is an address/],
    ["[::1]", /is an address/],
    ["[2606:4700::1]:443", /is an address/],
    ["0x7f.1", /is no host/],
    ["a.0x7f", /is no host/],
    ["localhost", /private network/],
    ["localhost:3000", /private network/],
    ["printer.local", /private network/],
    ["metadata.google.internal", /private network/],
    ["*.corp", /private network|everybody's|is no host/],
    [`${"a".repeat(64)}.example.com`, /is no host/],
    ["example.com\u0000", /is no host/],
    [7, /is no text/],
    [null, /is no text/],
    [{ host: "a.example.com" }, /is no text/],
  ])("%j is reported, and allows nothing", (entry, why) => {
    const { hosts, problems } = readHosts([entry]);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatch(why);
    expect(hosts.isEmpty).toBe(true);
  });

  test("counts the good entries beside a malformed one, and says that a value is no list", () => {
    const { hosts, problems } = readHosts(["nope", "api.example.com"]);
    expect([hosts.allows("api.example.com", 443), problems.length]).toEqual([true, 1]);
    expect(readHosts("api.example.com").problems).toEqual([expect.stringMatching(/^It is no list\./)]);
    expect(readHosts(undefined)).toEqual({ hosts: new AllowedHosts(), problems: [] });
    expect(readHosts(Array.from({ length: 600 }, (_, at) => `h${at}.example.com`)).problems).toEqual([
      expect.stringContaining("first 500 entries"),
    ]);
  });

  test("has presets of public names, and knows whether all hosts of one are allowed", () => {
    for (const [preset, names] of presets()) {
      const { hosts } = readHosts([preset]);
      expect(names.every((name) => hostName(name) === name)).toBe(true);
      expect(hosts.allowsAll(names)).toBe(true);
    }
    expect(readHosts(["pypi.org"]).hosts.allowsAll(hostsOf("pypi"))).toBe(false);
    expect(readHosts(["pypi.org", "*.pythonhosted.org"]).hosts.allowsAll(hostsOf("pypi"))).toBe(true);
  });
});

test.each([
  ["API.Example.com", "api.example.com"],
  ["api.example.com.", "api.example.com"],
  ["api.example.com..", undefined],
  ["localhost", "localhost"],
  ["127.0.0.1", undefined],
  ["127.1", undefined],
  ["2130706433", undefined],
  ["0x7f000001", undefined],
  ["a.0x7f", undefined],
  ["[::1]", undefined],
  ["", undefined],
  ["a%2eb.com", undefined],
  ["bücher.example", undefined],
])("%j is the host %j", (written, name) => {
  expect(hostName(written)).toBe(name);
});
