import type { ExportedActivity } from "./protocol.js";
import { STYLE } from "./style.js";

/** A page of its own: nothing else may be loaded or run in it. */
interface PageParts {
  title: string;
  /** The page's program. */
  script: string;
  nonce: string;
  /** What it shows; absent in a window, which sends it. */
  exported?: ExportedActivity;
  /** The language of its texts, as HTML names it. */
  language: string;
  /** Its texts in that language, by the English ones; absent in English. */
  translations?: Readonly<Record<string, string>>;
}

/** Returns the page as HTML. */
export function pageHtml({ title, script, nonce, exported, language, translations }: PageParts): string {
  const policy = `default-src 'none'; style-src 'nonce-${nonce}'; script-src 'nonce-${nonce}'; base-uri 'none'; form-action 'none'`;
  return `<!DOCTYPE html>
<html lang="${escapeHtml(language)}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width">
<title>${escapeHtml(title)}</title>
<style nonce="${nonce}">${STYLE}</style>
</head>
<body>
<div id="page"></div>
${dataHtml("activity", exported)}${dataHtml("translations", translations)}
<script nonce="${nonce}">${script.replaceAll("</script", "<\\/script")}</script>
</body>
</html>
`;
}

function dataHtml(id: string, data: object | undefined): string {
  return data === undefined
    ? ""
    : `<script type="application/json" id="${id}">${JSON.stringify(data).replaceAll("<", "\\u003c")}</script>`;
}

function escapeHtml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}
