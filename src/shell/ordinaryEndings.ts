/** Endings of sources and documents. What may hold passwords (`json`, `yaml`, `php`, `local`) is not among them. */
const ENDINGS = new Set(
  "ts tsx mts cts js jsx mjs cjs py pyi go rs java kt kts scala c h cc cpp cxx hpp hh cs fs vb rb swift m mm lua pl pm jl dart ex exs erl hs ml mli clj cljs groovy sql htm html css scss sass less vue svelte astro md mdx rst adoc tex proto graphql".split(
    " ",
  ),
);

/** Patterns of names that end so. */
export const ORDINARY_NAMES: readonly string[] = [...ENDINGS].map((ending) => `*.${ending}`);

/**
 * Whether files of an ending, in any case, are sources or documents. Some of them are secret by the rest of their
 * names: `.env.ts`.
 */
export function isOrdinaryEnding(ending: string): boolean {
  return ENDINGS.has(ending.toLowerCase());
}
