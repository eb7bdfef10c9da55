import { SETTING, WINDOWS_SHELLS } from "../names/settings.js";
import { labelOf } from "./enumLabel.js";

/** Returns the settings of where commands run, and how they are contained, by name. */
export function commandSettings(): Record<string, object> {
  return {
    [SETTING.windowsShell]: {
      type: "string",
      enum: WINDOWS_SHELLS,
      enumItemLabels: WINDOWS_SHELLS.map(labelOf),
      enumDescriptions: [
        "The bash of Git for Windows, otherwise PowerShell 7 or Windows PowerShell.",
        "The bash of Git for Windows alone.",
        "PowerShell 7, otherwise Windows PowerShell. Commands of your own tools that are written for bash still run in bash.",
      ],
      default: "auto",
      // A repository must not decide what reads its commands.
      scope: "application",
      markdownDescription:
        "On Windows: which shell runs the commands of agents. A change takes effect when the window is loaded again.",
    },
    [SETTING.sandboxCommands]: {
      type: "string",
      enum: ["auto", "read", "off"],
      enumItemLabels: ["auto", "read", "off"].map(labelOf),
      enumDescriptions: [
        "Commands that only read, and tests, builds and other work on the project, which then run without a question since undo can take their changes back. Where the machine supports it: on Linux with bubblewrap; on macOS only commands that only read, if its sandbox passes a trial.",
        "Only commands that only read. Work on the project asks.",
        "Never contained. Work on the project asks.",
      ],
      default: "auto",
      // A repository must not be able to turn this off for its commands.
      scope: "application",
      markdownDescription:
        "Whether the system contains commands that run without a question: then they reach no network, no other process and nothing of your home but programs and Git's settings.",
    },
    [SETTING.sandboxRehearse]: {
      type: "boolean",
      default: true,
      // As for the one above.
      scope: "application",
      markdownDescription:
        "With `#toolhost.sandbox.commands#` set to `auto`: try a command in the sandbox before a question about it, for at most 10 s, and show with the question what it changed. *Yes* makes exactly these changes. Commands that destroy, publish, or need the network or files outside are not tried.",
    },
    [SETTING.sandboxHosts]: {
      type: "array",
      items: { type: "string" },
      uniqueItems: true,
      default: [],
      // A repository must not open the network for its code.
      scope: "application",
      markdownDescription:
        "Hosts that contained commands which work on the project may reach, such as `api.example.com`, `*.example.com`, `api.example.com:8443`, or `registries` for those of npm, PyPI, crates.io, Go, RubyGems, Maven and NuGet (`npm`, `pypi`, … for one). Whatever code of the project can read, it can send there. With `npm` or `registries`, `npm ci` and installs of npm, yarn and pnpm without names run without a question. Commands that only read never reach the network.",
    },
    [SETTING.sandboxClient]: {
      type: "string",
      default: "",
      // A repository must not say where calls run.
      scope: "application",
      markdownDescription:
        "Where tools work, instead of the window's folders: `ssh://[user@]host[:port]/folder`, `docker://container/folder`, `podman://container/folder`, or `local:///folder` for a folder of this machine in bubblewrap (Linux). Empty: in the window's folders. Unsaved text of editors is not there, and rules that allow something there must name it with `sandbox` (`ssh:host`).",
    },
  };
}
