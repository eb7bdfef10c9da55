import { lookup, type LookupAddress, type LookupAllOptions } from "node:dns";
import type { LookupFunction } from "node:net";
import { isPrivateAddress, isPrivateHost } from "../../../text/privateAddress.js";

/** Thrown for a name that leads to this machine or a private network. */
export class PrivateAddressError extends Error {
  constructor(host: string) {
    super(`${host} leads to an address of a private network`);
  }
}

/** Resolves a name to all its addresses, as `dns.lookup` does. */
type Resolve = (
  host: string,
  options: LookupAllOptions,
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/**
 * Returns a look-up of public addresses alone, so that a public name does not open what only this network reaches. A
 * connection goes to an address that was looked up here: nobody can give another one in between.
 */
export function lookupOf(resolve: Resolve, isPrivate = isPrivateAddress): LookupFunction {
  return (host, options, callback) => {
    resolve(host, { ...options, all: true }, (error, addresses) => {
      if (error !== null) {
        callback(error, "");
        return;
      }
      const [first] = addresses;
      if (first === undefined || addresses.some(({ address }) => isPrivate(address))) {
        callback(new PrivateAddressError(host), "");
        return;
      }
      if (options.all === true) {
        callback(null, addresses);
      } else {
        callback(null, first.address, first.family);
      }
    });
  };
}

export const publicLookup = lookupOf(lookup);

/** Tells the addresses of this machine and of private networks. */
export interface PrivateNetwork {
  isHost: (hostname: string) => boolean;
  isAddress: (address: string) => boolean;
  /** Looks names up, and refuses those that lead there. */
  lookup: typeof publicLookup;
}

/** The private networks that nobody reaches by a public name. */
export const PRIVATE: PrivateNetwork = { isHost: isPrivateHost, isAddress: isPrivateAddress, lookup: publicLookup };
