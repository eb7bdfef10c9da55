/**
 * JavaScript for the most memory that its own process ever held, in kB (Linux). What `resourceUsage().maxRSS` tells of a
 * process begins with what its parent held when it started it (Linux, `exec_mmap`): all that ran there before.
 */
export const MOST_HELD_KB = String.raw`Number(/^VmHWM:\s*(\d+) kB$/m.exec(require("node:fs").readFileSync("/proc/self/status", "utf8"))[1])`;
