import { NOT_VALID } from "../../../shell/analysis.js";
import type { Tool } from "../../contract.js";
import { partCall } from "../../toolParts.js";
import { onlyReads, rightsTaken } from "./kinds.js";
import {
  isFileTouch,
  type CommandTouch,
  type CommandUse,
  type FileTouch,
  type GatedSimple,
  type GatedTouch,
  type NetworkTouch,
  type ProgramTouch,
  type SecretTouch,
} from "../touches.js";

/** A call as rules see it. */
export interface Call {
  tool: Tool;
  /** Parsed: aliases are resolved. */
  input: Readonly<Record<string, unknown>>;
  /** Undefined if the tool cannot say what it reaches. */
  touches: readonly GatedTouch[] | undefined;
}

/**
 * Returns a call under each name by which rules may know it: that of its tool, that of the tool's part that it means, and
 * those of the tool that it is an alias of.
 */
export function namedCalls(call: Call): Call[] {
  const { usedTool } = call.tool;
  if (usedTool !== undefined) {
    return [call, ...namedCalls({ ...call, tool: usedTool })];
  }
  const meant = partCall(call.tool, call.input);
  return meant === undefined ? [call] : [call, { ...call, tool: meant.part.tool, input: meant.input }];
}

/** A part of a call that is allowed or refused separately. */
export type CallPart =
  | { kind: "file"; touch: FileTouch }
  | { kind: "command"; of: GatedSimple; line: CommandTouch }
  | { kind: "redirection"; use: CommandUse; line: CommandTouch }
  | NetworkTouch
  | ProgramTouch
  | SecretTouch
  | {
      /** Nothing is known about what it does. */
      kind: "opaque";
      what: "doubt" | "task" | "input" | "tool";
      reason: string;
      everyTime: boolean;
      derivable: boolean;
      /** The input fields that identify it, if any do. */
      by?: readonly string[];
      /** Whether it is a third-party tool whose definition has changed: no rule covers it. */
      isChanged?: boolean;
    };

/** Returns everything that must be allowed before a call runs. */
export function partsOf({ tool, touches }: Call): CallPart[] {
  if (touches === undefined) {
    return [
      {
        kind: "opaque",
        what: "tool",
        reason: `What ${tool.name} reaches is unknown.${tool.external?.saysReadOnly === true ? " Its author says that it only reads." : ""}`,
        everyTime: false,
        derivable: true,
      },
    ];
  }
  return touches.flatMap((touch): CallPart[] => {
    if (isFileTouch(touch)) {
      return [{ kind: "file", touch }];
    }
    switch (touch.kind) {
      case "network":
      case "program":
      case "secret":
        return [touch];
      case "external":
        // Permission for the tool as a whole, which editors offer, would cover every tool that others made.
        return [
          {
            kind: "opaque",
            what: "tool",
            reason: touch.changed ?? "Runs a tool that is not Toolhost's; what that reaches is unknown.",
            everyTime: true,
            derivable: touch.changed === undefined,
            by: touch.by,
            ...(touch.changed === undefined ? {} : { isChanged: true }),
          },
        ];
      case "command":
        return commandParts(touch);
    }
  });
}

function commandParts(line: CommandTouch): CallPart[] {
  if (line.as === "task") {
    return [
      {
        kind: "opaque",
        what: "task",
        reason: "Runs a task's commands on this machine.",
        everyTime: true,
        derivable: true,
      },
    ];
  }
  if (line.as === "input") {
    return [
      { kind: "opaque", what: "input", reason: "Types into a running process.", everyTime: true, derivable: false },
    ];
  }
  // The others are about the rest of a line that cannot be read.
  const doubts = line.doubts.includes(NOT_VALID) ? [NOT_VALID] : line.doubts;
  return [
    ...doubts.map((doubt): CallPart => ({
      kind: "opaque",
      what: "doubt",
      reason: `What would run is not certain: ${doubt.replace(/\.$/, "")}.`,
      everyTime: true,
      derivable: false,
    })),
    ...line.commands.map((of): CallPart => ({ kind: "command", of, line })),
    ...line.redirections.map((use): CallPart => ({ kind: "redirection", use, line })),
  ];
}

/** Whether a part may do more than read. */
export function changesSomething(part: CallPart): boolean {
  switch (part.kind) {
    case "file":
      return part.touch.kind === "write";
    case "command":
      return !onlyReads(part.of) || rightsTaken(part.of.simple) !== undefined;
    case "redirection":
      return part.use.kind === "write";
    case "network":
      return part.to !== undefined;
    case "program":
    case "secret":
      return false;
    case "opaque":
      return true;
  }
}

/** Whether a part only reads inside the workspace, through a tool: all that is allowed in an untrusted workspace. */
export function readsInside(part: CallPart): boolean {
  return part.kind === "file" && part.touch.kind === "read" && part.touch.at.outside !== true;
}
