import { ToolError } from "../../core/errors.js";
import { excerpt } from "../../text/clip.js";

/** @throws ToolError `invalid_input` for what is no address of the web, or has a name and password */
export function addressOf(given: string): URL {
  const text = given.trim();
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !["http:", "https:"].includes(url.protocol)) {
    throw new ToolError(
      "invalid_input",
      `url: ${excerpt(text)} is not an address with http:// or https://.`,
      "Give the whole address, such as https://example.com/page. Read files with read.",
    );
  }
  if (url.username !== "" || url.password !== "") {
    throw new ToolError("invalid_input", "url: it has a user name or password, which is not sent.", "Leave it out.");
  }
  url.hash = "";
  return url;
}
