/**
 * The page's look: the theme's colours in a window; in an exported page, where there is none, a light or a dark set.
 * Every state has a mark beside its colour, and in high contrast a pattern.
 */
export const STYLE = `
:root { color-scheme: light dark; }
body {
  --fg: var(--vscode-foreground, light-dark(#3b3b3b, #cccccc));
  --dim: var(--vscode-descriptionForeground, light-dark(#616161, #9d9d9d));
  --bg: var(--vscode-editor-background, light-dark(#ffffff, #1f1f1f));
  --line: var(--vscode-panel-border, light-dark(#e5e5e5, #2b2b2b));
  --side: var(--vscode-sideBar-background, light-dark(#f8f8f8, #181818));
  --focus: var(--vscode-focusBorder, light-dark(#005fb8, #0078d4));
  --ok: var(--vscode-charts-green, light-dark(#388a34, #89d185));
  --failed: var(--vscode-charts-red, light-dark(#e51400, #f14c4c));
  --refused: var(--vscode-editorWarning-foreground, light-dark(#b26011, #cca700));
  --running: var(--vscode-charts-blue, light-dark(#1a85ff, #3794ff));
  --other: var(--vscode-descriptionForeground, light-dark(#616161, #9d9d9d));
  --mono: var(--vscode-editor-font-family, ui-monospace, monospace);
  --edge: var(--vscode-contrastBorder, transparent);
  margin: 0; padding: 0; height: 100vh; background: var(--bg); color: var(--fg);
  font: var(--vscode-font-size, 13px)/1.4 var(--vscode-font-family, system-ui, sans-serif);
}
#page { display: flex; flex-direction: column; height: 100%; }
header { display: flex; flex-wrap: wrap; gap: 6px 8px; align-items: center; padding: 8px 12px; border-bottom: 1px solid var(--line); }
header h1 { font-size: 1em; font-weight: 600; margin: 0; flex: 1 1 100%; overflow-wrap: anywhere; }
select, input, button { font: inherit; height: 26px; box-sizing: border-box; padding: 2px 6px; border-radius: 2px; }
select { max-width: 34ch; flex: 0 1 auto; min-width: 8ch; color: var(--vscode-dropdown-foreground, var(--fg)); background: var(--vscode-dropdown-background, var(--bg)); border: 1px solid var(--vscode-dropdown-border, var(--line)); }
select.session { flex: 1 1 100%; max-width: none; }
input { flex: 1 1 14ch; min-width: 10ch; color: var(--vscode-input-foreground, var(--fg)); background: var(--vscode-input-background, var(--bg)); border: 1px solid var(--vscode-input-border, var(--line)); }
input::placeholder { color: var(--vscode-input-placeholderForeground, var(--dim)); }
button { cursor: pointer; border: 1px solid var(--vscode-button-border, transparent); color: var(--vscode-button-secondaryForeground, var(--fg)); background: var(--vscode-button-secondaryBackground, var(--line)); padding: 2px 10px; }
button:hover { background: var(--vscode-button-secondaryHoverBackground, var(--line)); }
:focus-visible { outline: 1px solid var(--focus); outline-offset: -1px; }
.count { color: var(--dim); white-space: nowrap; }
.calls { flex: 1 1 60%; overflow: auto; outline-offset: -1px; padding-bottom: 8px; }
.note, .empty { color: var(--dim); padding: 8px 12px; margin: 0; }
.turn h2 { position: sticky; top: 0; z-index: 1; display: flex; flex-wrap: wrap; gap: 0 8px; align-items: baseline; margin: 0; padding: 6px 12px 4px; background: var(--bg); font-size: 1em; font-weight: 600; }
.turn h2 span:first-child { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; flex: 1 1 12ch; min-width: 0; }
.turn h2 .detail { color: var(--dim); font-weight: normal; white-space: nowrap; margin-left: auto; }
.call { display: grid; grid-template-columns: minmax(150px, 36%) 1fr 9ch; gap: 8px; align-items: center; height: 24px; padding: 0 12px; cursor: pointer; }
.call:hover { background: var(--vscode-list-hoverBackground, var(--side)); color: var(--vscode-list-hoverForeground, var(--fg)); }
.call[aria-selected="true"] { background: var(--vscode-list-inactiveSelectionBackground, var(--side)); color: var(--vscode-list-inactiveSelectionForeground, var(--fg)); outline: 1px dashed var(--vscode-contrastActiveBorder, transparent); outline-offset: -1px; }
.calls:focus .call[aria-selected="true"] { background: var(--vscode-list-activeSelectionBackground, var(--line)); color: var(--vscode-list-activeSelectionForeground, var(--fg)); outline: 1px solid var(--vscode-list-focusOutline, var(--focus)); }
.calls:focus .call[aria-selected="true"] :is(.subject, .took) { color: inherit; }
.name { display: flex; gap: 6px; align-items: center; min-width: 0; white-space: nowrap; overflow: hidden; }
.name svg { flex: none; }
.subject { color: var(--dim); overflow: hidden; text-overflow: ellipsis; font-family: var(--mono); font-size: 0.92em; }
.track { position: relative; height: 100%; min-width: 0; background: repeating-linear-gradient(90deg, var(--line) 0 1px, transparent 1px 25%); border-right: 1px solid var(--line); }
.bar { position: absolute; top: 6px; bottom: 6px; min-width: 3px; border-radius: 2px; background: var(--colour); border: 1px solid var(--edge); box-sizing: border-box; }
.took { color: var(--dim); text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums; }
[data-look="ok"] { --colour: var(--ok); }
[data-look="failed"] { --colour: var(--failed); }
[data-look="refused"] { --colour: var(--refused); }
[data-look="running"] { --colour: var(--running); }
[data-look="stopped"], [data-look="unknown"] { --colour: var(--other); }
svg { color: var(--colour); }
[data-look="refused"] .bar, [data-look="unknown"] .bar { background: transparent; border: 1px solid var(--colour); }
.vscode-high-contrast [data-look="failed"] .bar, .vscode-high-contrast-light [data-look="failed"] .bar { background: repeating-linear-gradient(45deg, var(--colour) 0 2px, transparent 2px 4px); border-color: var(--colour); }
.vscode-high-contrast .call[aria-selected="true"], .vscode-high-contrast-light .call[aria-selected="true"] { background: transparent !important; color: var(--fg) !important; }
.vscode-high-contrast button, .vscode-high-contrast-light button { background: transparent; color: var(--fg); border-color: var(--edge); }
[data-look="running"] .bar { border-right-style: dashed; animation: pulse 1.6s ease-in-out infinite alternate; }
@keyframes pulse { to { opacity: 0.55; } }
@media (prefers-reduced-motion: reduce) { .bar { animation: none !important; } }
@media (forced-colors: active) { .bar { forced-color-adjust: none; } }
.details { flex: 0 1 auto; max-height: 45%; overflow: auto; border-top: 1px solid var(--line); background: var(--side); padding: 8px 12px 12px; }
.details h2 { display: flex; gap: 8px; align-items: center; font-size: 1em; margin: 0 0 2px; overflow-wrap: anywhere; }
.details p { margin: 0 0 6px; color: var(--dim); }
.details h3 { font-size: 0.92em; margin: 8px 0 2px; font-weight: 600; }
.details button { margin-left: auto; flex: none; }
pre { margin: 0; padding: 6px 8px; white-space: pre-wrap; overflow-wrap: anywhere; font-family: var(--mono); font-size: var(--vscode-editor-font-size, 12px); color: var(--vscode-editor-foreground, var(--fg)); background: var(--bg); border: 1px solid var(--line); }
.tip { position: fixed; z-index: 2; max-width: min(70ch, 80vw); pointer-events: none; padding: 6px 8px; border: 1px solid var(--vscode-editorHoverWidget-border, var(--line)); background: var(--vscode-editorHoverWidget-background, var(--side)); color: var(--vscode-editorHoverWidget-foreground, var(--fg)); box-shadow: 0 2px 8px var(--vscode-widget-shadow, #0003); }
.tip pre { border: 0; padding: 0; background: none; max-height: 9.8em; overflow: hidden; margin-top: 4px; }
.tip .words { color: var(--dim); }
.said { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
[hidden] { display: none !important; }
@media (max-width: 520px) { .call { grid-template-columns: 1fr 9ch; height: 38px; row-gap: 0; } .track { grid-column: 1 / -1; grid-row: 2; height: 12px; } .bar { top: 2px; bottom: 2px; } }
`;
