// The passages of a text that fit a question.
import { rankTexts } from "../../features/knowledge/rankTexts.js";

/** Characters of a passage, unless one paragraph is longer. */
const PASSAGE = 1_200;
const MAX_PASSAGES = 8;
/** A passage with less than this share of the best one's score has only words that are everywhere. */
const LEAST_SHARE = 0.15;
/** Characters of all passages. */
const MAX_SHOWN = 8_000;
/** Characters of a paragraph that is one passage; a longer one is several. */
const MAX_PARAGRAPH = 4_000;
/** Characters of a heading that are shown above a passage. */
const MAX_HEADING = 200;
/** Characters of a text that are searched: the search keeps everything else waiting. */
const MAX_SEARCHED = 3_000_000;

/** Returns the best passages in the order of the text, each under its headings, and how many there are. */
export function passagesOf(find: string, text: string): { text: string; note: string } {
  const passages = split(text.slice(0, MAX_SEARCHED));
  const ranked = rankTexts(
    find,
    passages.map((each) => `${each.text} ${each.headings.join(" ")}`),
  );
  const best: number[] = [];
  let size = 0;
  const least = (ranked[0]?.score ?? 0) * LEAST_SHARE;
  for (const { index, score } of ranked.slice(0, MAX_PASSAGES)) {
    const length = passages[index]?.text.length ?? 0;
    if (best.length > 0 && (size + length > MAX_SHOWN || score < least)) {
      break;
    }
    best.push(index);
    size += length;
  }
  const searched =
    text.length <= MAX_SEARCHED
      ? ""
      : ` in the first ${MAX_SEARCHED / 1e6} million characters, which alone were searched`;
  if (best.length === 0) {
    return { text: "", note: `No passage has words of ${JSON.stringify(find)}${searched}.` };
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
    note: `The ${best.length === 1 ? "passage that fits" : `${best.length} passages that fit`} ${JSON.stringify(find)} best, of ${passages.length}${searched}.`,
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
  for (const paragraph of text.split(/\n{2,}/).flatMap(parted)) {
    const heading = /^(#{1,6}) +(.+)/.exec(paragraph);
    if (heading !== null) {
      const level = heading[1]?.length ?? 1;
      headings = [
        ...headings.filter((each) => each.level < level),
        { level, text: (heading[2] ?? "").slice(0, MAX_HEADING) },
      ];
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

/** Returns a paragraph in parts that are ranked as a whole, cut at ends of lines or words where there are any. */
function parted(paragraph: string): string[] {
  const parts: string[] = [];
  for (let from = 0; from < paragraph.length || parts.length === 0;) {
    const window = paragraph.slice(from, from + MAX_PARAGRAPH);
    const isLast = from + window.length >= paragraph.length;
    const end = isLast ? window.length : (cutAt(window, "\n") ?? cutAt(window, " ") ?? window.length);
    parts.push(window.slice(0, end));
    from += Math.max(end, 1);
  }
  return parts;
}

/** Returns the end of the last part that ends so, in the second half. */
function cutAt(window: string, end: string): number | undefined {
  const at = window.lastIndexOf(end);
  return at > window.length / 2 ? at + 1 : undefined;
}
