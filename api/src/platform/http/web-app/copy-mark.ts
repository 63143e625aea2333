/** Marks a page as one of a copy, which the browser app says on top of it. */
export const withCopyMark = (html: string): string =>
  html.replace('</head>', '<meta name="portico-copy" content="true"></head>')
