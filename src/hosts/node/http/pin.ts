import { lookup as lookUp, type LookupAddress } from "node:dns";
import type { LookupFunction } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { PrivateAddressError, type PrivateNetwork } from "./publicLookup.js";

/** Milliseconds for the first look-up of a name: behind a proxy there may be nobody who answers it. */
const LOOKUP_TIME = 2_000;

/**
 * Looks a name up once, for the check and for the connection, so that it cannot lead elsewhere in between. Behind a proxy,
 * which looks it up itself, a name that is not known here is passed on.
 */
export async function pin(
  hostname: string,
  network: PrivateNetwork,
  signal: AbortSignal,
): Promise<{ lookup: LookupFunction; wasUsed: () => boolean }> {
  let isUsed = false;
  const found = new Promise<{ error: NodeJS.ErrnoException | null; addresses: LookupAddress[] }>((resolve) => {
    if (isLiteral(hostname)) {
      resolve({ error: null, addresses: [] });
      return;
    }
    network.lookup(hostname, { all: true }, (error, addresses) =>
      resolve({ error, addresses: Array.isArray(addresses) ? addresses : [] }),
    );
  });
  const over = new AbortController();
  const early = await Promise.race([
    found,
    wait(LOOKUP_TIME, undefined, { signal: AbortSignal.any([signal, over.signal]) }),
  ]).finally(() => over.abort());
  if (early?.error instanceof PrivateAddressError) {
    throw early.error;
  }
  return {
    wasUsed: () => isUsed,
    lookup: (host, options, callback) => {
      if (host !== hostname) {
        // The proxy's own name.
        lookUp(host, options, callback);
        return;
      }
      isUsed = true;
      void found.then(({ error, addresses }) => {
        const [first] = addresses;
        if (error !== null || first === undefined) {
          callback(error ?? new PrivateAddressError(host), "");
        } else if (options.all === true) {
          callback(null, addresses);
        } else {
          callback(null, first.address, first.family);
        }
      });
    },
  };
}

function isLiteral(hostname: string): boolean {
  return hostname.startsWith("[") || /^[\d.]+$/.test(hostname);
}
