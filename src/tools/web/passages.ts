// The passages of a text that fit a question.
import { rankTexts } from "../../features/knowledge/rankTexts.js";
import { count } from "../../text/words.js";

/** Characters of a passage, unless one paragraph is longer. */
const PASSAGE = 1_200;
const MAX_PASSAGES = 8;
/** Characters of all passages. */
const MAX_SHOWN = 8_000;

/** Returns the best passages in the order of the text, each under its headings, and how many there are. */
export function passagesOf(find: string, text: string): { text: string; note: string } {
  const passages = split(text);
  const ranked = rankTexts(
    find,
    passages.map((each) => `${each.headings.join(" ")} ${each.text}`),
  );
  const best: number[] = [];
  let size = 0;
  for (const { index } of ranked.slice(0, MAX_PASSAGES)) {
    const length = passages[index]?.text.length ?? 0;
    if (best.length > 0 && size + length > MAX_SHOWN) {
      break;
    }
    best.push(index);
    size += length;
  }
  if (best.length === 0) {
    return { text: "", note: `No passage has words of ${JSON.stringify(find)}.` };
  }
  const shown = best
    .sort((a, b) => a - b)
    .map((index) => {
      const { headings = [], text: passage = "" } = passages[index] ?? {};
      const above = headings.filter((heading) => !passage.includes(heading));
      return [...(above.length === 0 ? [] : [above.join(" > ")]), passage.slice(0, MAX_SHOWN)].join("\n");
    });
  return {
    text: shown.join("\n[…]\n"),
    note: `The ${count(best.length, "passage")} that fit ${JSON.stringify(find)} best, of ${passages.length}.`,
  };
}

interface Passage {
  headings: string[];
  text: string;
}

function split(text: string): Passage[] {
  const passages: Passage[] = [];
  let headings: { level: number; text: string }[] = [];
  let current: Passage | undefined;
  for (const paragraph of text.split(/\n{2,}/)) {
    const heading = /^(#{1,6}) +(.+)/.exec(paragraph);
    if (heading !== null) {
      const level = heading[1]?.length ?? 1;
      headings = [...headings.filter((each) => each.level < level), { level, text: heading[2] ?? "" }];
    }
    if (current === undefined || heading !== null || current.text.length + paragraph.length > PASSAGE) {
      current = { headings: headings.map((each) => each.text), text: paragraph };
      passages.push(current);
    } else {
      current.text += `\n\n${paragraph}`;
    }
  }
  return passages;
}
