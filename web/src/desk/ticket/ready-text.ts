import type { answerBlanks } from '@portico/contract/resources/canned-answers.ts'

type Blank = (typeof answerBlanks)[number]

/**
 * Escapes a name for use in staff's text: people choose their own names, and a link or Markdown in one would
 * be published and mailed under the name of staff.
 */
const plain = (name: string): string =>
  name
    .replaceAll(/[^\p{L}\p{M}\p{N}'’ -]/gu, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()

/**
 * Fills the blanks of a canned answer in one pass: filled-in text is not scanned again. An unknown blank
 * stays.
 */
export const filledIn = (body: string, values: Readonly<Record<Blank, string>>): string =>
  body.replaceAll(/\{(first_name|number|my_name)\}/g, (_, blank: Blank) => plain(values[blank]))

/** Appended below the text that is already written. */
export const beneath = (written: string, text: string): string =>
  written.trim() === '' ? text : `${written.trimEnd()}\n\n${text}`
