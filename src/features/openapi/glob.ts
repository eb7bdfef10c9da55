/** Whether a text matches a pattern in which `*` stands for any text and `?` for one code unit. */
export function matchesGlob(text: string, pattern: string): boolean {
  let at = 0;
  let inPattern = 0;
  /** After the last `*`, and the place in the text from which to try again. */
  let afterStar = -1;
  let retry = 0;
  while (at < text.length) {
    if (pattern[inPattern] === "*") {
      afterStar = ++inPattern;
      retry = at;
    } else if (inPattern < pattern.length && (pattern[inPattern] === "?" || pattern[inPattern] === text[at])) {
      at++;
      inPattern++;
    } else if (afterStar >= 0) {
      inPattern = afterStar;
      at = ++retry;
    } else {
      return false;
    }
  }
  while (pattern[inPattern] === "*") {
    inPattern++;
  }
  return inPattern === pattern.length;
}
