import type { Letter, LetterLanguage } from './letters.ts'

export type Rendered = { readonly subject: string; readonly text: string; readonly html: string }

/** A letter in words. Links are made absolute by `publicUrl`. */
export function render(letter: Letter, _language: LetterLanguage, publicUrl: string): Rendered {
  const subject = `Portico: ${letter.kind}`
  const text = 'link' in letter ? publicUrl + letter.link : subject
  return { subject, text, html: `<p>${text}</p>` }
}
