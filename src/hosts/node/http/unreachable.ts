import { ToolError } from "../../../core/errors.js";
import { oneLine } from "../../../text/clip.js";
import { reasonOf } from "../../shared/reasonOf.js";
import { PrivateAddressError } from "./publicLookup.js";

/**
 * Returns the failure of a request that got no answer.
 *
 * @param server its origin
 * @param unknown added where the request may have arrived
 * @param privateHint what to do about an address of a private network
 */
export function unreachable(
  server: string,
  error: unknown,
  unknown: string,
  privateHint = 'If that is meant, the user can allow it with "allowPrivate": true in the entry.',
): ToolError {
  if (error instanceof PrivateAddressError) {
    return new ToolError("denied", `${server}: ${error.message}, so nothing was sent.`, privateHint);
  }
  const { message, code } = reasonOf(error);
  const failed = (what: string, hint: string): ToolError => new ToolError("unavailable", `${server}: ${what}`, hint);
  if (["ECONNREFUSED", "ENETUNREACH", "EHOSTUNREACH", "EADDRNOTAVAIL"].includes(code)) {
    return failed(`nothing answers there (${code}). Nothing was sent.`, "Start the server, or correct its address.");
  }
  if (["ENOTFOUND", "EAI_AGAIN"].includes(code)) {
    return failed(`the name could not be resolved (${code}). Nothing was sent.`, "Check the address and the network.");
  }
  if (/CERT|SELF_SIGNED|UNABLE_TO_VERIFY|UNABLE_TO_GET_ISSUER/.test(code)) {
    return failed(
      `its certificate is not trusted (${code}). Nothing was sent.`,
      "The user can add its authority to the system or to NODE_EXTRA_CA_CERTS.",
    );
  }
  if (code === "EPROTO" || code.startsWith("ERR_SSL")) {
    return failed(`it does not speak TLS (${code}). Nothing was sent.`, "Check http:// or https:// in the address.");
  }
  const why = oneLine(message);
  if (code === "ERR_PROXY_TUNNEL") {
    return failed(
      `the proxy did not connect to it: ${why}. Nothing was sent.`,
      "The user can check HTTPS_PROXY and HTTP_PROXY.",
    );
  }
  return new ToolError(
    "io_error",
    `${server}: the connection broke: ${why}${code === "" || why.includes(code) ? "" : ` (${code})`}.${unknown}`,
    unknown === "" ? "Try it again." : "Look whether it was done before you repeat it.",
  );
}
