import type { Part, StatementLine } from '#money/bank/files/statement.ts'

/** What a file says of one payment. */
export type Facts = Pick<
  StatementLine,
  'day' | 'amount' | 'currency' | 'payer' | 'payerIban' | 'text' | 'reference' | 'batch'
>

/** A payment as some file says it, with its words: banks write one text with other spaces and dashes in each format. */
export type Read = Facts & {
  readonly iban: string
  /** Two of one reading say the same of the same money; null for lines of before this was kept. */
  readonly reading: string | null
  readonly balances: Part
  /** Its file has money of one day alone. */
  readonly isOneDay: boolean
  readonly payerWords: string
  readonly textWords: string
  readonly words: ReadonlySet<string>
}

/** A line of an earlier file. */
export type StoredLine = Read & {
  readonly row: number
  /** The row whose money it is: its own, or another one of the same amount. */
  readonly money: number
  /** The money that it may be, while nobody decided, or that it is with others: a batch, or a payment of one. */
  readonly doubtOf: number | null
  readonly statement: number
  /** Its import was taken back, and it stayed: it may have been read wrongly. */
  readonly isTakenBack: boolean
  /** The last day that it may really have, where its file was not read again since. */
  readonly misreadUntil: string | null
}

/** The words and the numbers of a text: "HST-12" is that of another bank's "hst 12", and not that of "HST 120". */
const wordsOf = (text: string): string[] => text.toUpperCase().match(/\p{L}+|\p{N}+/gu) ?? []

type Words = 'payerWords' | 'textWords' | 'words'

export const withWords = <F extends Omit<Read, Words>>(fact: F): F & Pick<Read, Words> => ({
  ...fact,
  // Banks write first and last names in either order.
  payerWords: wordsOf(fact.payer ?? '')
    .sort()
    .join(' '),
  textWords: wordsOf(fact.text).join(' '),
  words: new Set(wordsOf(fact.text)),
})

/** The same for two lines of which a file of one reading says the same. */
export const factsKey = (fact: Read): string => {
  const { reading, iban, day, amount, currency, payer, payerIban, text, reference, batch } = fact
  const batchReference = batch?.reference ?? null
  return JSON.stringify([
    reading,
    iban,
    day,
    amount,
    currency,
    payer,
    payerIban,
    text,
    reference,
    batchReference,
  ])
}
