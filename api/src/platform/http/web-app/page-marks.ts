/** What a page is marked with, which the browser app shows on top of it. */
export type PageMark = 'copy' | 'news'

/** Marks a page; the browser app loads what it says about marks only where there is one. */
export const withMark = (html: string, mark: PageMark): string =>
  html.replace('</head>', `<meta name="portico-note" content="${mark}"></head>`)
