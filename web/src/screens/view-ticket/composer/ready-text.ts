import type { answerBlanks } from '@portico/contract/resources/canned-answers.ts'

type Blank = (typeof answerBlanks)[number]

/**
 * A name as it may stand in what staff says: people choose their own, and one that is a link or Markdown would be said, and
 * be mailed, under the name of staff.
 */
const plain = (name: string): string =>
  name
    .replaceAll(/[^\p{L}\p{M}\p{N}'’ -]/gu, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()

/** A ready answer with its blanks filled in, once: what is filled in is looked into no more. An unknown blank stays. */
export const filledIn = (body: string, values: Readonly<Record<Blank, string>>): string =>
  body.replaceAll(/\{(first_name|number|my_name)\}/g, (_, blank: Blank) => plain(values[blank]))

/** Beneath what is written already. */
export const beneath = (written: string, text: string): string =>
  written.trim() === '' ? text : `${written.trimEnd()}\n\n${text}`
