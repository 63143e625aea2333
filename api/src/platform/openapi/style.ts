/** The style of the page, in the colours of the portal, light or dark by the system's setting. */
export const style = `:root {
  color-scheme: light dark;
  --page: #f6f7f9; --card: #fff; --sunken: #f1f3f6; --line: #e2e5ea; --text: #14181f; --quiet: #59616e; --accent: #3445ab;
  --get: #16703d; --post: #3445ab; --patch: #8a5300; --delete: #b3261e;
  --mono: ui-monospace, "SF Mono", "Cascadia Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #0e1116; --card: #161b22; --sunken: #11151b; --line: #2a313c; --text: #e7eaef; --quiet: #9ba5b4; --accent: #a5b3f6;
    --get: #5fd08d; --post: #a5b3f6; --patch: #eab560; --delete: #ff8f87;
  }
}
* { box-sizing: border-box }
body {
  margin: 0; display: grid; grid-template-columns: 240px minmax(0, 1fr); background: var(--page); color: var(--text);
  font: 15px/1.6 ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, sans-serif;
}
nav { position: sticky; top: 0; height: 100vh; padding: 24px; overflow-y: auto; border-right: 1px solid var(--line); background: var(--card) }
nav ul { margin: 16px 0 0; padding: 0; list-style: none }
nav li a { display: block; padding: 3px 0; color: var(--quiet); text-decoration: none }
nav li a:hover { color: var(--text) }
.home { font-weight: 600; color: var(--text); text-decoration: none }
main { max-width: 980px; padding: 32px 40px 96px }
h1 { margin: 0; font-size: 28px; line-height: 36px }
h2 { margin: 48px 0 4px; font-size: 20px; line-height: 28px }
p { margin: 8px 0; max-width: 72ch }
a { color: var(--accent) }
.lead, .quiet, .kind { color: var(--quiet) }
.label { margin: 16px 0 4px; color: var(--quiet); font-size: 13px }
code, pre { font-family: var(--mono); font-size: 13px; overflow-wrap: anywhere }
pre { margin: 0; padding: 12px 16px; max-height: 420px; overflow: auto; border-radius: 6px; background: var(--sunken) }
pre code { overflow-wrap: normal }
details { margin: 8px 0; border: 1px solid var(--line); border-radius: 8px; background: var(--card) }
details[open] { padding-bottom: 16px }
details > :not(summary) { margin-left: 16px; margin-right: 16px }
summary { padding: 10px 16px; cursor: pointer; overflow-wrap: anywhere }
.method { display: inline-block; min-width: 60px; font: 600 12px/1 var(--mono) }
.get { color: var(--get) } .post { color: var(--post) } .patch { color: var(--patch) } .delete { color: var(--delete) }
.wide { margin-top: 12px; overflow-x: auto }
table { width: 100%; border-collapse: collapse; font-size: 14px }
th, td { padding: 6px 12px 6px 0; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; font-weight: 400 }
tbody th code { white-space: nowrap }
thead th { color: var(--quiet); font-size: 13px }
b { font-weight: 600 }
.answer { margin-top: 12px; padding-top: 4px; border-top: 1px solid var(--line) }
.codes code { display: inline-block; margin: 0 12px 4px 0 }
.skip { position: absolute; left: -9999px }
.skip:focus { left: 8px; top: 8px; padding: 8px 12px; background: var(--card); z-index: 1 }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px }
@media (max-width: 800px) {
  body { display: block }
  nav { position: static; height: auto; max-height: 240px; border-right: 0; border-bottom: 1px solid var(--line) }
  main { padding: 24px 16px 64px }
}
`
