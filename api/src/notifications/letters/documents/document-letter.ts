/** A document in a letter: its amount, and its due day; null when it is paid. */
type IssuedDocument = {
  readonly what: 'fiscal' | 'credit_note'
  readonly number: string
  readonly total: string
  readonly currency: string
  readonly due: string | null
  /** The attached files, by reference: they are read when the letter is sent. */
  readonly attached?: { readonly invoiceId: number; readonly formats: readonly ('pdf' | 'xml')[] }
}

/** A document that the company sends to its client, at their request or on its own. */
export type SentDocument = {
  readonly what: 'fiscal' | 'credit_note' | 'proforma'
  readonly number: string
  /** The day of its issue. */
  readonly on: string | null
  readonly total: string
  readonly currency: string
  /** What is left to pay, and until when; null: nothing. */
  readonly open: { readonly amount: string; readonly due: string | null } | null
  /** The attached files, as of `IssuedDocument`. */
  readonly attached?: IssuedDocument['attached']
}

/** The letters about a document. */
export type DocumentLetter =
  | { readonly kind: 'invoice-copy'; readonly number: string; readonly invoiceId: number }
  | ({ readonly kind: 'document-sent'; readonly name: string } & SentDocument)
  | ({ readonly kind: 'invoice-issued'; readonly name: string } & IssuedDocument)
