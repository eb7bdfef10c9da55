/**
 * English words that say nothing about a text's topic, folded as by `tokensOf`. An index learns that a word is common
 * by counting, but an index of three notes cannot.
 */
export const FUNCTION_WORDS: ReadonlySet<string> = new Set(
  `a about after all also am an and ani anyth are as at be been befor but by can could did do doe done dont for from get give go got had has have
  he her here him his how i if in into is it its just let like make mani may me might more most much must my need no not now of on one onli
  or other our out over put should so some someth such than that the their them then there these they this to too under until up us use veri want was
  way we were what when where whether which while who whi will with without would you your`
    .split(/\s+/)
    .filter(Boolean),
);
