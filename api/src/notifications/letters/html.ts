import { shadesOf } from '@portico/contract/rules/brand/accent.ts'
import { escaped } from '#platform/escape.ts'

/** The portal's own accent, as in the browser app. */
const ownAccent = '#3f53c8'

const font = "font-family:-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif"

// Mail programs without support for style elements show the light colours of the inline styles.
const darkOf = (accent: string) => `
@media (prefers-color-scheme: dark) {
.page { background: #0e1116 !important }
.card { background: #161b22 !important; border-color: #2a313c !important }
.text { color: #e7eaef !important }
.quiet { color: #9ba5b4 !important }
.link { color: ${shadesOf(accent).dark.text} !important }
}`

const paragraph = (html: string) =>
  `<p class="text" style="margin:0 0 16px;font-size:15px;line-height:1.5;color:#14181f">${html}</p>`

const quietParagraph = (html: string) =>
  `<p class="quiet" style="margin:0 0 16px;font-size:15px;line-height:1.5;color:#59616e">${html}</p>`

const link = ({ url, label }: { url: string; label: string }, accent: string) =>
  `<a class="link" href="${escaped(url)}" style="color:${shadesOf(accent).light.text};word-break:break-all">${escaped(label)}</a>`

const button = ({ url, label }: { url: string; label: string }, accent: string) =>
  `<p style="margin:24px 0"><a href="${escaped(url)}" style="display:inline-block;padding:12px 20px;border-radius:8px;
background:${accent};color:#ffffff;font-size:15px;font-weight:600;text-decoration:none">${escaped(label)}</a></p>`

/** The parts of an HTML letter, not yet escaped. */
export type Parts = {
  readonly language: string
  readonly brand: string
  /** Null: the portal's. */
  readonly accent: string | null
  readonly subject: string
  readonly before: readonly string[]
  readonly where: string | undefined
  readonly button: { readonly url: string; readonly label: string } | undefined
  readonly after: readonly string[]
  readonly other: { readonly url: string; readonly label: string } | undefined
  readonly ifButtonFails: string
  /** Paragraphs; a line break stays one. */
  readonly footer: readonly string[]
}

const head = ({ subject, language, accent }: Parts) => [
  `<!doctype html>`,
  `<html lang="${language}">`,
  `<head>`,
  `<meta charset="utf-8">`,
  `<meta name="viewport" content="width=device-width">`,
  `<meta name="color-scheme" content="light dark">`,
  `<meta name="supported-color-schemes" content="light dark">`,
  `<title>${escaped(subject)}</title>`,
  `<style>:root { color-scheme: light dark }${darkOf(accent ?? ownAccent)}</style>`,
  `</head>`,
]

const heading = (html: string) =>
  `<h1 class="text" style="margin:0 0 16px;font-size:20px;line-height:1.4;font-weight:600;color:#14181f">${html}</h1>`

function card({ subject, before, where, after, other, ...parts }: Parts): string[] {
  const [greeting = '', first = '', ...more] = before.map((text) => paragraph(escaped(text)))
  return [
    heading(escaped(subject)),
    greeting,
    first,
    ...(where === undefined ? [] : [quietParagraph(escaped(where))]),
    ...more,
    ...(parts.button ? [button(parts.button, parts.accent ?? ownAccent)] : []),
    ...after.map((text) => paragraph(escaped(text))),
    ...(other ? [paragraph(link(other, parts.accent ?? ownAccent))] : []),
  ]
}

/** A letter as HTML: one column, one button, no images, readable in dark mode and without styles. */
export function htmlOf(parts: Parts): string {
  const url = parts.button?.url
  return [
    ...head(parts),
    `<body class="page" style="margin:0;background:#f6f7f9;${font}">`,
    `<table class="page" role="presentation" width="100%" cellpadding="0" cellspacing="0" style="background:#f6f7f9">`,
    `<tr><td align="center" style="padding:24px 12px">`,
    `<table role="presentation" width="560" cellpadding="0" cellspacing="0" style="width:100%;max-width:560px;${font}">`,
    `<tr><td class="text" style="padding:0 4px 16px;font-size:16px;font-weight:600;color:#14181f">`,
    escaped(parts.brand),
    `</td></tr>`,
    `<tr><td class="card" style="padding:28px 28px 12px;background:#ffffff;border:1px solid #e2e5ea;border-radius:8px">`,
    ...card(parts),
    `</td></tr>`,
    `<tr><td class="quiet" style="padding:16px 4px 0;font-size:13px;line-height:1.5;color:#59616e">`,
    ...(url === undefined
      ? []
      : [
          `<p style="margin:0 0 16px">${escaped(parts.ifButtonFails)}<br>${link({ url, label: url }, parts.accent ?? ownAccent)}</p>`,
        ]),
    ...parts.footer.map((text) => `<p style="margin:0 0 8px">${escaped(text).replaceAll('\n', '<br>')}</p>`),
    `</td></tr>`,
    `</table>`,
    `</td></tr>`,
    `</table>`,
    `</body>`,
    `</html>`,
    ``,
  ].join('\n')
}
