/** First and last address of networks that are not public (IANA's special-purpose registries). */
const NETWORKS: readonly (readonly [string, string])[] = [
  ["0.0.0.0", "0.255.255.255"],
  ["10.0.0.0", "10.255.255.255"],
  ["100.64.0.0", "100.127.255.255"],
  ["127.0.0.0", "127.255.255.255"],
  // Also the metadata services of clouds.
  ["169.254.0.0", "169.254.255.255"],
  ["172.16.0.0", "172.31.255.255"],
  ["192.0.0.0", "192.0.0.255"],
  ["192.168.0.0", "192.168.255.255"],
  ["198.18.0.0", "198.19.255.255"],
  ["224.0.0.0", "255.255.255.255"],
];

/** Endings of names that only a private network resolves (RFC 6761, RFC 6762, RFC 8375, ICANN 2024). */
const PRIVATE_NAME = /(?:^|\.)(?:localhost|local|internal|home\.arpa|lan|intranet|corp)$/;

/**
 * Whether a host, as `URL.hostname` has it, is this machine or on a private network, as far as its name or address
 * shows: a public name may still lead to a private address.
 */
export function isPrivateHost(host: string): boolean {
  const name = host.toLowerCase().replace(/\.$/, "");
  if (name.startsWith("[")) {
    return isPrivateAddress(name.slice(1, -1));
  }
  return /^[\d.]+$/.test(name) ? isPrivateAddress(name) : !name.includes(".") || PRIVATE_NAME.test(name);
}

/** Whether an IP address is not a public one. What cannot be read counts as private. */
export function isPrivateAddress(address: string): boolean {
  const plain = address.toLowerCase().replace(/%.*$/, "");
  if (!plain.includes(":")) {
    const value = ipv4(plain);
    return (
      value === undefined || NETWORKS.some(([first, last]) => value >= (ipv4(first) ?? 0) && value <= (ipv4(last) ?? 0))
    );
  }
  const groups = ipv6(plain);
  if (groups === undefined) {
    return true;
  }
  const [first = 0, second = 0] = groups;
  const embedded = embeddedIpv4(groups);
  if (embedded !== undefined) {
    return isPrivateAddress(embedded);
  }
  // Global unicast is 2000::/3 (RFC 4291); in it, 2001:db8::/32 is for documentation and 2001::/32 is Teredo.
  return first < 0x2000 || first > 0x3fff || (first === 0x2001 && (second === 0xdb8 || second === 0));
}

/**
 * Returns the IPv4 address that an IPv6 address contains: mapped (`::ffff:`), NAT64 (`64:ff9b::`), ISATAP
 * (`::5efe:` below any prefix) or 6to4.
 */
function embeddedIpv4(groups: readonly number[]): string | undefined {
  const at = (index: number): string => {
    const [high = 0, low = 0] = groups.slice(index, index + 2);
    return [high >> 8, high & 255, low >> 8, low & 255].join(".");
  };
  const zeros = (from: number, to: number): boolean => groups.slice(from, to).every((group) => group === 0);
  if ((zeros(0, 5) && groups[5] === 0xffff) || (groups[0] === 0x64 && groups[1] === 0xff9b && zeros(2, 6))) {
    return at(6);
  }
  if (groups[5] === 0x5efe && (groups[4] === 0 || groups[4] === 0x200)) {
    return at(6);
  }
  return groups[0] === 0x2002 ? at(1) : undefined;
}

function ipv4(text: string): number | undefined {
  const parts = text.split(".");
  const numbers = parts.map((part) => (/^\d{1,3}$/.test(part) ? Number(part) : 256));
  return parts.length === 4 && numbers.every((part) => part < 256)
    ? numbers.reduce((value, part) => value * 256 + part, 0)
    : undefined;
}

function ipv6(text: string): number[] | undefined {
  const [tail = ""] = text.split(":").slice(-1);
  const low = tail.includes(".") ? ipv4(tail) : undefined;
  const written =
    low === undefined
      ? text
      : `${text.slice(0, -tail.length)}${Math.floor(low / 65_536).toString(16)}:${(low % 65_536).toString(16)}`;
  const halves = written.split("::");
  const read = (half: string | undefined): number[] =>
    half === undefined || half === ""
      ? []
      : half.split(":").map((group) => (/^[\da-f]{1,4}$/.test(group) ? parseInt(group, 16) : NaN));
  const [head, rest] = [read(halves[0]), read(halves[1])];
  const missing = 8 - head.length - rest.length;
  const groups = halves.length === 2 && missing > 0 ? [...head, ...new Array<number>(missing).fill(0), ...rest] : head;
  return halves.length <= 2 && groups.length === 8 && !groups.some(Number.isNaN) ? groups : undefined;
}
