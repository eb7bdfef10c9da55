/** A proxy that the user's environment names. */
export interface UsersProxy {
  url: URL;
  /** The value of `Proxy-Authorization`, if its address has a password. */
  authorization: string | undefined;
}

/**
 * Returns the proxy through which the user reaches a host; undefined if there is none.
 *
 * @param isTunnel whether what goes there is encrypted, as far as is known
 * @param env the variables that name a proxy
 */
export function usersProxy(
  host: string,
  port: number,
  isTunnel: boolean,
  env: Readonly<Record<string, string | undefined>>,
): UsersProxy | undefined {
  const of = (name: string): string => env[name] ?? env[name.toUpperCase()] ?? "";
  const named = of(isTunnel ? "https_proxy" : "http_proxy") || of("all_proxy");
  const address = /^[a-z][a-z\d+.-]*:\/\//i.test(named) ? named : `http://${named}`;
  if (named === "" || !URL.canParse(address) || isExcepted(host, port, of("no_proxy"))) {
    return undefined;
  }
  const url = new URL(address);
  const { username, password } = url;
  return {
    url,
    authorization:
      username === "" && password === ""
        ? undefined
        : `Basic ${Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`).toString("base64")}`,
  };
}

/** Whether NO_PROXY has a host: by its name, by a name above it, or by `*`; each perhaps with a port. */
function isExcepted(host: string, port: number, list: string): boolean {
  return list.split(/[\s,]+/).some((entry) => {
    const [, written = "", digits] = /^(.*?)(?::(\d+))?$/.exec(entry.toLowerCase()) ?? [];
    const name = written.replace(/^\*?\./, "");
    return (
      (digits === undefined || Number(digits) === port) &&
      (written === "*" || (name !== "" && (host === name || host.endsWith(`.${name}`))))
    );
  });
}
