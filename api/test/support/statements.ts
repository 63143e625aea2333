import { base } from '@portico/contract/wire.ts'
import Big from 'big.js'
import { sql } from 'kysely'
import type { Database } from '#platform/db/pool.ts'
import type { Answer } from './answer.ts'
import type { Visitor } from './portal.ts'

/** The operator's account in tests. */
export const ownIban = 'RO49AAAA1B31007593840000'

/** Money that came, or, with a minus, that went out. */
export type Entry = {
  readonly amount: string
  readonly text: string
  readonly reference?: string | undefined
  readonly payer?: string
  readonly iban?: string
  readonly day?: string
}

type Options = { readonly iban?: string; readonly currency?: string }

const defaults = { day: '2026-03-19', payer: 'Lumen Studio SRL', iban: 'RO09BCYP0000001234567890' }

const sumOf = (entries: readonly Entry[]) =>
  entries.reduce((sum, { amount }) => sum.plus(amount), new Big(1000)).toFixed(2)

const xml = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

const camtEntry = (currency: string) => (entry: Entry) => {
  const { amount, text, reference, payer, iban, day } = { ...defaults, ...entry }
  const direction = amount.startsWith('-') ? 'DBIT' : 'CRDT'
  return `<Ntry><Amt Ccy="${currency}">${amount.replace('-', '')}</Amt><CdtDbtInd>${direction}</CdtDbtInd><Sts>BOOK</Sts>
<BookgDt><Dt>${day}</Dt></BookgDt><AcctSvcrRef>${reference ?? 'NONREF'}</AcctSvcrRef><NtryDtls><TxDtls>
<RltdPties><Dbtr><Nm>${xml(payer)}</Nm></Dbtr><DbtrAcct><Id><IBAN>${iban}</IBAN></Id></DbtrAcct></RltdPties>
<RmtInf><Ustrd>${xml(text)}</Ustrd></RmtInf></TxDtls></NtryDtls></Ntry>`
}

const camtBalance = (code: string, amount: string, currency: string) =>
  `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp><Amt Ccy="${currency}">${amount}</Amt><CdtDbtInd>CRDT</CdtDbtInd></Bal>`

/** A statement in CAMT.053 that begins with 1000. */
export function camt(entries: readonly Entry[], { iban = ownIban, currency = 'USD' }: Options = {}): string {
  return `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.02"><BkToCstmrStmt><GrpHdr><MsgId>1</MsgId></GrpHdr><Stmt>
<Id>1</Id><Acct><Id><IBAN>${iban}</IBAN></Id><Ccy>${currency}</Ccy></Acct>
${camtBalance('OPBD', '1000.00', currency)}
${camtBalance('CLBD', sumOf(entries), currency)}
${entries.map(camtEntry(currency)).join('\n')}
</Stmt></BkToCstmrStmt></Document>
`
}

const comma = (amount: string) => amount.replace('-', '').replace('.', ',')

const mtEntry = (entry: Entry) => {
  const { amount, text, reference, payer, iban, day } = { ...defaults, ...entry }
  const mark = amount.startsWith('-') ? 'D' : 'C'
  const date = day.slice(2).replaceAll('-', '')
  return `:61:${date}${date.slice(2)}${mark}${comma(amount)}NTRFNONREF//${reference ?? 'NONREF'}
:86:?20${text}?31${iban}?32${payer}`
}

/** The same statement in MT940. */
export function mt940(entries: readonly Entry[], { iban = ownIban, currency = 'USD' }: Options = {}): string {
  return `:20:ST1
:25:${iban}
:28C:00012/001
:60F:C260318${currency}1000,00
${entries.map(mtEntry).join('\n')}
:62F:C260319${currency}${comma(sumOf(entries))}
`
}

/** The columns of `csv`. */
export const csvColumns = {
  day: 'Data',
  amount: 'Suma',
  payer: 'Plătitor',
  payer_iban: 'IBAN plătitor',
  text: 'Detalii',
  reference: 'Referință',
  account: 'Cont',
  currency: 'USD',
  day_format: 'DD.MM.YYYY',
  decimal: ',',
}

const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`

/** The same statement as a CSV of a Romanian bank. */
export function csv(entries: readonly Entry[], { iban: own = ownIban }: Options = {}): string {
  const rows = entries.map((entry) => {
    const { amount, text, reference = '', payer, iban, day } = { ...defaults, ...entry }
    const [year, month, dayOfMonth] = day.split('-')
    return [own, `${dayOfMonth}.${month}.${year}`, amount.replace('.', ','), payer, iban, text, reference]
      .map(quoted)
      .join(';')
  })
  return `Cont;Data;Suma;Plătitor;IBAN plătitor;Detalii;Referință\r\n${rows.join('\r\n')}\r\n`
}

/** Imports a statement as the page does. */
export function importFile(
  visitor: Visitor,
  content: string | Buffer,
  more: { readonly filename?: string; readonly columns?: object; readonly ask_columns?: boolean } = {},
): Promise<Answer> {
  return visitor.post(`${base}/bank-statements/-actions/importStatement`, {
    filename: 'statement.xml',
    content: Buffer.from(content).toString('base64'),
    ...more,
  })
}

/** Moves every line of before far away, and makes each file of before another one, so that a test shares no money with those before it. */
export async function leaveOtherDays(db: Database): Promise<void> {
  await sql`update bank_lines set booked_on = '2020-01-01', bank_reference = coalesce(bank_reference, reference) || ' before',
      batch_reference = null, batch_entry = null
    where booked_on > '2020-01-01'`.execute(db)
  await sql`update bank_statements set sha256 = sha256(sha256)`.execute(db)
}
