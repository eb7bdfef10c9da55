import { lookup, type LookupAddress } from "node:dns";
import type { LookupFunction } from "node:net";
import { isPrivateAddress } from "../../../text/privateAddress.js";

/** Thrown for a name that leads to this machine or a private network. */
export class PrivateAddressError extends Error {
  constructor(host: string) {
    super(`${host} leads to an address of a private network`);
  }
}

/** Resolves a name to public addresses alone, so that a public name does not open what only this network reaches. */
export const publicLookup: LookupFunction = (host, options, callback) => {
  lookup(host, { ...options, all: true }, (error, addresses: LookupAddress[]) => {
    if (error !== null) {
      callback(error, "");
      return;
    }
    const [first] = addresses;
    if (first === undefined || addresses.some(({ address }) => isPrivateAddress(address))) {
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
