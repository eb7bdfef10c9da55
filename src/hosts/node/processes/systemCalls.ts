/** The numbers of system calls on one kind of processor, as the kernel's tables have them. */
interface Machine {
  /** AUDIT_ARCH_… of linux/audit.h. */
  audit: number;
  socket: number;
  /** What there is not for a contained command. */
  absent: readonly number[];
  /** Calls from this number on are those of another way to call the kernel, of which nothing is known. */
  others?: number;
}

/** `io_uring_setup`, which has the same number everywhere: what it does passes no filter. */
const IO_URING = 425;

/** By Node's name of the processor; with it go the programs of 32 bits that it runs as well. */
const MACHINES: Readonly<Record<string, readonly Machine[]>> = {
  x64: [
    // add_key, request_key, keyctl
    { audit: 0xc000003e, socket: 41, absent: [248, 249, 250, IO_URING], others: 0x40000000 },
    // And socketcall, whose arguments are in memory: where it is absent, libraries call `socket`.
    { audit: 0x40000003, socket: 359, absent: [102, 286, 287, 288, IO_URING] },
  ],
  arm64: [
    { audit: 0xc00000b7, socket: 198, absent: [217, 218, 219, IO_URING] },
    { audit: 0x40000028, socket: 281, absent: [309, 310, 311, IO_URING] },
  ],
};

/** AF_UNIX, AF_INET, AF_INET6, AF_NETLINK: of these, and of no other kind that matters, a network namespace has its own. */
const FAMILIES = [1, 2, 10, 16];

// Instructions and results of linux/filter.h and linux/seccomp.h.
const [LOAD, EQUAL, AT_LEAST, RETURN] = [0x20, 0x15, 0x35, 0x06];
const [ALLOW, KILL, ERROR] = [0x7fff0000, 0x80000000, 0x00050000];
const [NO_SUCH_CALL, NO_SUCH_FAMILY] = [ERROR | 38, ERROR | 97];
/** Offsets in what a filter is asked about: the call's number, the processor, the low half of the first argument. */
const [NUMBER, AUDIT, ARGUMENT] = [0, 4, 16];

type Instruction = readonly [code: number, ifTrue: number, ifFalse: number, value: number];

/**
 * Returns a filter of system calls (seccomp), as bubblewrap takes it, for what no namespace keeps apart: sockets to the
 * machine's host (vsock, by which WSL and virtual machines reach theirs) and of other odd kinds, and the keys that the
 * kernel keeps for the user. To a contained command, the call fails as on a kernel without it.
 *
 * @param arch Node's name of the processor
 * @returns undefined for one of which the numbers are not known
 */
export function systemCallFilter(arch: string = process.arch): Buffer | undefined {
  const machines = MACHINES[arch];
  const instructions = machines && [...machines.flatMap(instructionsFor), [RETURN, 0, 0, KILL] as const];
  return instructions && Buffer.concat(instructions.map(encoded));
}

function instructionsFor({ audit, socket, absent, others }: Machine): Instruction[] {
  const ends: Instruction[] = [
    [RETURN, 0, 0, NO_SUCH_FAMILY],
    [RETURN, 0, 0, ALLOW],
    [RETURN, 0, 0, NO_SUCH_CALL],
  ];
  const families: Instruction[] = [
    [LOAD, 0, 0, ARGUMENT],
    // Past the rest of these and the first end.
    ...FAMILIES.map((family, at): Instruction => [EQUAL, FAMILIES.length - at, 0, family]),
  ];
  const refused = [
    ...(others === undefined ? [] : [[AT_LEAST, others] as const]),
    ...absent.map((call) => [EQUAL, call] as const),
  ];
  const calls: Instruction[] = [
    ...refused.map(([code, value], at): Instruction => [code, refused.length - at + families.length + 2, 0, value]),
    // To the second end.
    [EQUAL, 0, families.length + 1, socket],
  ];
  const rest: Instruction[] = [[LOAD, 0, 0, NUMBER], ...calls, ...families, ...ends];
  return [[LOAD, 0, 0, AUDIT], [EQUAL, 0, rest.length, audit], ...rest];
}

function encoded([code, ifTrue, ifFalse, value]: Instruction): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeUInt16LE(code, 0);
  bytes.writeUInt8(ifTrue, 2);
  bytes.writeUInt8(ifFalse, 3);
  bytes.writeUInt32LE(value >>> 0, 4);
  return bytes;
}
