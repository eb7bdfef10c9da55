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
}

/** Returns the page as HTML. */
export function pageHtml({ title, script, nonce, exported }: PageParts): string {
  const policy = `default-src 'none'; style-src 'nonce-${nonce}'; script-src 'nonce-${nonce}'; base-uri 'none'; form-action 'none'`;
  const data =
    exported === undefined
      ? ""
      : `<script type="application/json" id="activity">${JSON.stringify(exported).replaceAll("<", "\\u003c")}</script>`;
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width">
<title>${escapeHtml(title)}</title>
<style nonce="${nonce}">${STYLE}</style>
</head>
<body>
<div id="page"></div>
${data}
<script nonce="${nonce}">${script.replaceAll("</script", "<\\/script")}</script>
</body>
</html>
`;
}

function escapeHtml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}
