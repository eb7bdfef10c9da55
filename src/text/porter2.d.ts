declare module "wink-porter2-stemmer" {
  /**
   * The stem of an English word in lower case, by Porter's second algorithm
   * (snowballstem.org/algorithms/english/stemmer.html).
   */
  function stem(word: string): string;
  export { stem as default };
}
