/**
 * Extensions of sources and documents. Those that may hold passwords (`json`, `yaml`, `php`, `local`) are not included.
 */
const ENDINGS = new Set(
  "ts tsx mts cts js jsx mjs cjs py pyi go rs java kt kts scala c h cc cpp cxx hpp hh cs fs vb rb swift m mm lua pl pm jl dart ex exs erl hs ml mli clj cljs groovy sql htm html css scss sass less vue svelte astro md mdx rst adoc tex proto graphql".split(
    " ",
  ),
);

/** Patterns of names with such extensions. */
export const ORDINARY_NAMES: readonly string[] = [...ENDINGS].map((ending) => `*.${ending}`);

/**
 * Whether files with an extension, in any case, are sources or documents. Some of them are secret because of the rest
 * of their names: `.env.ts`.
 */
export function isOrdinaryEnding(ending: string): boolean {
  return ENDINGS.has(ending.toLowerCase());
}
