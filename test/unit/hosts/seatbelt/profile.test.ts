import { mkdtempSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import { seatbeltArguments, type SeatbeltReach } from "../../../../src/hosts/node/processes/seatbelt/profile.js";
import { realPath, SANDBOX_EXEC, underSeatbelt } from "../../../../src/hosts/node/processes/seatbelt/seatbelt.js";

const REACH: SeatbeltReach = {
  emptied: ["/private/tmp", "/Users"],
  seen: ["/Users/u/work"],
  hidden: ["/Users/u/work/.env"],
  readable: ["/private/tmp/t/script", "/private/tmp/t/report"],
  report: "/private/tmp/t/report",
  scratch: "/private/var/folders/s",
};

const PROFILE = `(version 1)
(deny default)
(allow process-exec process-fork)
(allow signal (target same-sandbox))
(allow process-info* (target same-sandbox))
(allow sysctl-read (sysctl-name "kern.argmax") (sysctl-name "kern.hostname") (sysctl-name "kern.maxfilesperproc") (sysctl-name "kern.ngroups") (sysctl-name "kern.secure_kernel") (sysctl-name "kern.usrstack64") (sysctl-name "kern.version") (sysctl-name "sysctl.proc_cputype") (sysctl-name "vm.loadavg") (sysctl-name-prefix "hw.") (sysctl-name-prefix "kern.os") (sysctl-name-prefix "machdep.cpu."))
(allow mach-lookup (global-name "com.apple.system.opendirectoryd.libinfo") (global-name "com.apple.system.opendirectoryd.membership") (global-name "com.apple.system.DirectoryService.libinfo_v1"))
(allow file-read*)
(deny file-read* (subpath (param "P0")) (subpath (param "P1")))
(allow file-read-metadata)
(allow file-read* (subpath (param "P2")))
(deny file-read-data file-read-xattr (subpath (param "P3")))
(allow file-read* (literal (param "P4")) (literal (param "P5")))
(allow file-write-data (literal "/dev/null") (literal "/dev/zero") (literal "/dev/stdout") (literal "/dev/stderr") (subpath "/dev/fd"))
(allow file-read* file-write* (subpath (param "P6")))
(allow file-write-data (literal (param "P7")))`;

test("a command changes nothing, reaches no network, and reads neither secrets nor the home", () => {
  expect(seatbeltArguments(REACH)).toEqual([
    "-DP0=/private/tmp",
    "-DP1=/Users",
    "-DP2=/Users/u/work",
    "-DP3=/Users/u/work/.env",
    "-DP4=/private/tmp/t/script",
    "-DP5=/private/tmp/t/report",
    "-DP6=/private/var/folders/s",
    "-DP7=/private/tmp/t/report",
    "-p",
    PROFILE,
    "--",
  ]);
  // Sockets with a name are network, too.
  expect(PROFILE).not.toMatch(/allow [^\n]*network/);
});

test("no path is read as a part of the profile, whatever characters it has", () => {
  const path = fc.string({
    unit: fc.constantFrom('"', "\\", "\n", "(", ")", "#", ".*", "^", "$", "=", " ", "/", "é", "P0", "-D", ";"),
    maxLength: 12,
  });
  fc.assert(
    fc.property(path, path, path, (secret, folder, report) => {
      const [one, two, three] = [`/a${secret}`, `/b${folder}`, `/c${report}`];
      const words = seatbeltArguments({
        ...REACH,
        ...{ hidden: [one], seen: [two], report: three, readable: [three], scratch: "/s" },
      });
      expect(words.slice(0, -3)).toEqual([
        ...["-DP0=/private/tmp", "-DP1=/Users", `-DP2=${two}`, `-DP3=${one}`, `-DP4=${three}`, "-DP5=/s"],
        `-DP6=${three}`,
      ]);
      expect(words.at(-2)).toBe(
        PROFILE.replace(' (literal (param "P5"))', "").replace('"P6"', '"P5"').replace('"P7"', '"P6"'),
      );
    }),
  );
});

test("nothing that is not given has a rule of its own", () => {
  const words = seatbeltArguments({
    emptied: [],
    seen: [],
    hidden: [],
    readable: [],
    report: undefined,
    scratch: "/s",
  });
  expect(words[0]).toBe("-DP0=/s");
  expect(words[2]?.match(/\(deny .*\)/g)).toEqual(["(deny default)"]);
});

test("paths have the names by which the system knows them, also of what is not there", () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "toolhost-real-")));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  symlinkSync(folder, join(folder, "link"));
  expect(realPath(join(folder, "link"))).toBe(folder);
  expect(realPath(join(folder, "link/a/b c"))).toBe(join(folder, "a/b c"));
  expect(realPath("/nowhere/x")).toBe("/nowhere/x");
});

test("what the call of a command chose is for the command alone, which has a folder of its own for the moment", () => {
  const call = underSeatbelt(
    { file: "/bin/sh", isBash: false, args: ["-c", "ls"], script: undefined },
    {
      environment: { outer: { PATH: "/bin", TMPDIR: "/tmp" }, words: ["--", "DYLD_X=1", "TMPDIR=/elsewhere"] },
      ...{ homes: ["/Users/u"], seen: ["/w"], hidden: ["/w/.env"], state: "/state", report: undefined },
    },
  );
  expect([call.file, call.env, call.isInNamespace]).toEqual([
    SANDBOX_EXEC,
    { PATH: "/bin", TMPDIR: "/tmp" },
    undefined,
  ]);
  const own = call.args.slice(call.args.indexOf("--") + 1);
  expect(own).toEqual([
    ...["/usr/bin/env", "--", "DYLD_X=1", "TMPDIR=/elsewhere"],
    expect.stringMatching(/^TMPDIR=\/.*toolhost-contained-/),
    ...["/bin/sh", "-c", "ls"],
  ]);
  const scratch = own[4]?.slice("TMPDIR=".length);
  expect(call.args.filter((each) => each.endsWith(`=${scratch}`) && each.startsWith("-DP"))).toHaveLength(1);
  for (const path of ["/Users/u", "/private/tmp", "/w", "/w/.env", "/state"]) {
    expect(call.args).toContainEqual(expect.stringMatching(new RegExp(`^-DP\\d+=${path}$`)));
  }
});
