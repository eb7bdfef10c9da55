import type { SpawnRequest } from "../../../features/processes/spawner.js";
import { openInput, openOutput, type ChildPipe, type OutputPipe } from "./pipes.js";

/**
 * Our ends of a child's streams, and the child's until it is started. One pipe carries all its output, unless its errors
 * must come apart: with two, nobody would know what was written first.
 */
export interface Wires {
  stdin: ChildPipe | undefined;
  output: OutputPipe;
  errors: OutputPipe | undefined;
}

export function openWires(names: readonly string[], { apart, interactive }: SpawnRequest): Wires | undefined {
  const [output, ...others] = names;
  const errors = apart === true ? others.shift() : undefined;
  const stdin = interactive ? others.shift() : undefined;
  return output === undefined
    ? undefined
    : {
        output: openOutput(output),
        errors: errors === undefined ? undefined : openOutput(errors),
        stdin: stdin === undefined ? undefined : openInput(stdin),
      };
}

export function allWires(wires: Wires | undefined): ChildPipe[] {
  return [wires?.stdin, wires?.output, wires?.errors].filter((each) => each !== undefined);
}
