import type { Detail } from "./cutDetails.js";
import { showHidden } from "./showHidden.js";

/** A text of a question without hidden characters, and a sentence on those that were made visible. */
export interface VisibleDetail extends Detail {
  hidden: string | undefined;
}

/** The texts of a question: what will happen, and what it did when it was tried. */
interface Details {
  detail: Detail;
  outcome?: readonly Detail[];
}

/** Makes hidden characters of a question's texts visible. In a command, a carriage return is an ordinary character. */
export function visibleDetails({ detail, outcome = [] }: Details): VisibleDetail[] {
  return [detail, ...outcome].map((each) => {
    const { text, notice } = showHidden(each.text, each.language !== "bash");
    return { ...each, text, hidden: notice };
  });
}

/** Joins the texts of a question, each below its title. */
export function wholeText(details: readonly Detail[]): string {
  return details.map(({ title, text }) => (title === undefined ? text : `${title}:\n${text}`)).join("\n\n");
}
