declare module "wink-porter2-stemmer" {
  /**
   * Returns the stem of a lowercase English word, by Porter's second algorithm
   * (snowballstem.org/algorithms/english/stemmer.html).
   */
  function stem(word: string): string;
  export { stem as default };
}
