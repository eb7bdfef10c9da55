import {
  asInteger,
  atMost,
  choice,
  ignored,
  ignoredIf,
  onlyOf,
  opposite,
  type AliasRule,
  type Aliases,
  onePath,
  withoutEffect,
} from "../../core/aliases.js";
import { globMatcher } from "../../core/paths/globMatcher.js";
import { globList } from "./globList.js";

/** Matches an answer has at most, and lines around each. */
export const MAX_RESULTS = 1_000;
export const MAX_CONTEXT = 100;

/**
 * Globs of the types of file that Claude Code names (`rg --type-list`), for the languages that models name. Another type
 * is refused: it could leave files out.
 */
const TYPES: Readonly<Record<string, string>> = {
  c: "*.{[chH],[chH].in,cats}",
  cpp: "*.{[ChH],cc,[ch]pp,[ch]xx,hh,inl,[ChH].in,cc.in,[ch]pp.in,[ch]xx.in,hh.in}",
  cs: "*.cs",
  csharp: "*.cs",
  css: "*.{css,scss}",
  dart: "*.dart",
  go: "*.go",
  html: "*.{htm,html,ejs}",
  java: "*.{java,jsp,jspx,properties}",
  js: "*.{js,jsx,vue,cjs,mjs}",
  json: "{*.json,*.sarif,composer.lock}",
  kotlin: "*.{kt,kts}",
  lua: "*.lua",
  markdown: "*.{markdown,md,mdown,mdwn,mkd,mkdn,mdx}",
  md: "*.{markdown,md,mdown,mdwn,mkd,mkdn,mdx}",
  php: "*.{php,php3,php4,php5,php7,php8,pht,phtml}",
  py: "*.{py,pyi}",
  python: "*.{py,pyi}",
  rust: "*.rs",
  scala: "*.{scala,sbt}",
  sql: "*.{sql,psql}",
  svelte: "*.{svelte,svelte.ts}",
  swift: "*.swift",
  ts: "*.{ts,tsx,cts,mts}",
  typescript: "*.{ts,tsx,cts,mts}",
  vue: "*.vue",
  xml: "*.{xml,xml.dist,dtd,xsl,xslt,xsd,xjb,rng,sch,xhtml}",
  yaml: "*.{yaml,yml}",
};

const type: AliasRule = {
  says: "the `include` of that type of file, such as ts, py or go",
  read: (value, { include }) => {
    const glob = typeof value === "string" && Object.hasOwn(TYPES, value) ? TYPES[value] : undefined;
    // A glob whose files are all of the type says as much as both.
    const ending = typeof include === "string" ? /\.\w+$/.exec(include)?.[0] : undefined;
    const isOfType = glob !== undefined && ending !== undefined && globMatcher(glob)(`x${ending}`);
    return glob === undefined ? undefined : { fields: { include: isOfType ? include : glob } };
  },
  refuses: () => "not a type of file that is known here. Give a glob as include, such as *.cob",
};

/** Claude Code: 0 means no limit, and so ours. */
export function headLimit(field: string): AliasRule {
  return {
    says: `as \`${field}\`; 0 for the default`,
    read: (value) => (asInteger(value) === 0 ? { fields: {} } : { fields: { [field]: value } }),
  };
}

const outputMode = choice({
  content: { output: "content" },
  files_with_matches: { output: "files" },
  count: { output: "count" },
});

/** Fields of Claude Code's Grep, Copilot's grep_search and Gemini CLI's, and options of ripgrep that models write. */
export const GREP_ALIASES: Aliases = {
  query: "pattern",
  regex: "pattern",
  search: "pattern",
  queries: onlyOf(
    "pattern",
    "grep takes one pattern per call: join them with |, or make a call for each in one answer",
  ),
  dir_path: "path",
  directory: "path",
  glob: "include",
  includePattern: "include",
  include_pattern: "include",
  file_pattern: "include",
  filePattern: "include",
  excludePattern: "exclude",
  maxResults: "max_results",
  total_max_matches: "max_results",
  "-i": "ignore_case",
  ignoreCase: "ignore_case",
  case_insensitive: "ignore_case",
  "-C": "context",
  contextLines: "context",
  "-U": "multiline",
  "-F": "literal",
  fixed_strings: "literal",
  includeIgnoredFiles: "include_ignored",
  no_ignore: "include_ignored",
  max_matches_per_file: withoutEffect("max_matches_per_file"),
  path: onePath,
  include: globList("include"),
  exclude: globList("exclude"),
  type,
  "-A": "after",
  "-B": "before",
  after_context: "after",
  before_context: "before",
  head_limit: headLimit("max_results"),
  headLimit: headLimit("max_results"),
  max_results: atMost("max_results", MAX_RESULTS),
  context: atMost("context", MAX_CONTEXT),
  before: atMost("before", MAX_CONTEXT),
  after: atMost("after", MAX_CONTEXT),
  // Lines are always numbered.
  "-n": ignored,
  "-r": ignoredIf(true),
  isRegexp: opposite("literal"),
  is_regex: opposite("literal"),
  case_sensitive: opposite("ignore_case"),
  caseSensitive: opposite("ignore_case"),
  output_mode: outputMode,
  outputMode,
  names_only: choice({ true: { output: "files" }, false: {} }),
  "-l": choice({ true: { output: "files" }, false: {} }),
  "-c": choice({ true: { output: "count" }, false: {} }),
};
