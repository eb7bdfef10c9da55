/** Addresses that reach another machine, and name no program or option of this one. */
const REMOTE = /^(?:https?|ssh|git):\/\/(?:[^@/\s]*@)?(?!-)[^\s/]+(?:\/\S*)?$/i;
/** SSH's short form: `git@host:owner/name.git`. */
const SHORT = /^[\w.-]*@?(?!-)[\w.-]+:(?![/\\]{2}|:|-)\S+$/;
/** A drive of Windows, which looks like the name of a host. */
const DRIVE = /^[A-Za-z]:/;

/**
 * Returns why a repository is not cloned, as the end of a sentence that begins with its field; undefined if it may be.
 *
 * @param isOwnMachine whether Git runs on this machine: its own files are then copied by `localDir`, and no repository
 *   there runs its programs
 */
export function repositoryProblem(
  { url, ref }: { url: string; ref?: string | undefined },
  isOwnMachine: boolean,
): string | undefined {
  if (/\p{Cc}/u.test(url)) {
    return "url: must not contain control characters";
  }
  if (url.startsWith("-")) {
    return "url: must not begin with -, which would make it an option of Git";
  }
  if (/^[A-Za-z][\w+.-]*::/.test(url)) {
    return `url: must not name a helper program (${url.slice(0, url.indexOf("::") + 2)}), which Git would run`;
  }
  if (/^[a-z+]+:\/\/(?:[^@/]*@)?-/i.test(url) || /^(?:[^/:]*@)?-/.test(url)) {
    return "url: its host must not begin with -, which would make it an option of ssh";
  }
  if (isOwnMachine && (DRIVE.test(url) || !(REMOTE.test(url) || SHORT.test(url)))) {
    return "url: must be an https, http, ssh or git address, or user@host:path; a folder of this machine is copied by localDir";
  }
  if (ref === undefined) {
    return undefined;
  }
  // git check-ref-format, as far as a shell or an option could make something else of it.
  return ref === "" || ref.startsWith("-") || /[\p{Cc}\s~^:?*[\\]|\.\.|@\{/u.test(ref)
    ? "ref: must be the name of a branch or tag"
    : undefined;
}

/** Returns the words of Git's call, without its name, with `quoted` applied to those that the manifest gives. */
export function cloneWords(
  { url, ref, shallow = true }: { url: string; ref?: string | undefined; shallow?: boolean | undefined },
  target: string,
  quoted: (word: string) => string = (word) => word,
): string[] {
  return [
    "clone",
    ...(shallow ? ["--depth", "1"] : []),
    ...(ref === undefined ? [] : ["--branch", quoted(ref)]),
    ...[quoted(url), quoted(target)],
  ];
}
