/**
 * Extensions of sources and documents. Extensions of files that may hold passwords (`json`, `yaml`, `php`, `local`) are
 * not included.
 */
const ENDINGS = new Set(
  "ts tsx mts cts js jsx mjs cjs py pyi go rs java kt kts scala c h cc cpp cxx hpp hh cs fs vb rb swift m mm lua pl pm jl dart ex exs erl hs ml mli clj cljs groovy sql htm html css scss sass less vue svelte astro md mdx rst adoc tex proto graphql".split(
    " ",
  ),
);

/** Patterns of names with such extensions. */
export const ORDINARY_NAMES: readonly string[] = [...ENDINGS].map((ending) => `*.${ending}`);

/**
 * Whether an extension, in upper or lower case, is that of sources or documents. Some files with such an extension are
 * still secret because of the rest of their names: `.env.ts`.
 */
export function isOrdinaryEnding(ending: string): boolean {
  return ENDINGS.has(ending.toLowerCase());
}
