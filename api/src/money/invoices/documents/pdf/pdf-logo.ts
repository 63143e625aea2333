import type { DocumentLogo } from '#money/invoices/documents/document.ts'

type Name = {
  readonly text: string
  readonly fontSize: number
  readonly bold: boolean
  readonly color: string
}

const sized = (width: number, height: number): [number, number] => [width, height]

/** The head of a document in pdfmake's terms: the logo, the name of the seller, or a mark beside the name. */
export function logoOf(logo: DocumentLogo, name: Name) {
  if (logo === null) return { ...name }
  if (typeof logo === 'string') return { svg: logo, fit: sized(160, 48) }
  if (!logo.isMark) return { image: logo.image, fit: sized(160, 48) }
  const mark = { width: 'auto' as const, stack: [{ image: logo.image, fit: sized(72, 36) }] } // The type is narrower.
  return { columns: [mark, { ...name, margin: 6 }], columnGap: 10 }
}
