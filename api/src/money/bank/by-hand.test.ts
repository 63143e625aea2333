import { base } from '@portico/contract/wire.ts'
import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { issueProforma } from '#money/invoices/invoices.ts'
import { verifyLedger } from '#money/ledger/verify.ts'
import type { Account } from '#test/support/account.ts'
import { bankDesk } from '#test/support/bank-desk.ts'
import { keyed, makePayer } from '#test/support/card.ts'
import { camt, type Entry, importFile, leaveOtherDays } from '#test/support/statements.ts'

const { portal, db, importer: billing, colleague } = await bankDesk()
let ana: Account
let asked: number

beforeEach(async () => {
  // Each test has days, lines and transfers of its own.
  await sql`update bank_statements set taken_back_at = now() where taken_back_at is null`.execute(db)
  await sql`update bank_lines set state = 'ignored' where state in ('open', 'doubtful')`.execute(db)
  await leaveOtherDays(db)
  await sql`update payments set recorded_by = null where recorded_by is not null`.execute(db)
  await sql`update staff_alerts set resolved_at = now() where resolved_at is null`.execute(db)
  ana = await makePayer(portal)
  const made = await db
    .transaction()
    .execute((tx) => issueProforma(tx, { clientId: ana.id, sum: { net: '100' } }))
  asked = made.id
})

const record = async (reference: string, day = '2026-03-10', amount = 121): Promise<number> => {
  const input = { amount, received_on: day, reference }
  const made = await keyed(billing, `${base}/invoices/${asked}/-actions/recordBankTransfer`, { data: input })
  expect(made.faults).toEqual([])
  return JSON.parse(made.text).transaction_id
}
const line = (reference: string, day: string, amount = '121.00', text = 'x'): Entry => ({
  amount,
  text,
  reference,
  day,
  // An account that paid before would be a sign.
  iban: `RO09BCYP${reference.padStart(16, '0')}`,
})
const bring = async (...lines: Entry[]) =>
  expect((await importFile(colleague, camt(lines))).faults).toEqual([])

const lineOf = async (reference: string) => {
  const { list } = await billing.get(`${base}/bank-lines?filter[search]=${reference}`)
  const [found] = list
  if (!found) throw new Error(`There is no line ${reference}.`)
  return found
}
const act = async (reference: string, verb: string, input: object = {}) =>
  billing.post(`${base}/bank-lines/${(await lineOf(reference)).id}/-actions/${verb}`, input)

/** The payments that the alert names. */
const unseen = async () => {
  const { list } = await billing.get(`${base}/staff-alerts?filter[open]=true`)
  const found = list.find(({ attributes }) => attributes?.kind === 'transfer_unseen')
  return (found?.attributes?.detail as { payments: string[] } | undefined)?.payments
}

/** What the client has, in how many payments, and what stands in the suspense account; the ledger is sound. */
async function books() {
  expect(await verifyLedger(db)).toEqual([])
  const { rows } = await sql<{ balance: string; payments: number; suspense: string }>`
    select trim_scale(b.account_balance)::text as balance,
      (select count(*)::int from payments p where p.client_id = ${ana.id}) as payments,
      (select trim_scale(coalesce(sum(e.amount), 0) - (select coalesce(sum(amount), 0) from bank_lines where state = 'open'))::text
        from ledger_entries e join ledger_accounts a on a.id = e.account_id where a.kind = 'suspense') as suspense
    from account_balances b where b.client_id = ${ana.id}`.execute(db)
  return rows[0]
}

test('a transfer whose reference was mistyped is tied to its line, without a second payment, and seen', async () => {
  const before = (await books())?.suspense
  const paid = await record('TYP0')
  await bring(line('A1', '2026-03-09', '1.00'), line('TYPO', '2026-03-10'), line('A2', '2026-03-14', '1.00'))
  expect(await unseen()).toEqual([`${paid}`])
  expect((await lineOf('TYPO')).attributes).toMatchObject({
    state: 'open',
    match: 'likely',
    candidates: [
      {
        client_id: ana.id,
        invoice_id: null,
        payment_id: paid,
        received_on: '2026-03-10',
        reference: 'TYP0',
        signs: ['amount'],
      },
    ],
  })
  expect((await billing.get(`${base}/bank-lines?filter[search]=TYPO&filter[match]=none`)).list).toEqual([])
  expect(
    (await billing.get(`${base}/bank-lines?filter[search]=TYPO&filter[match]=likely`)).list,
  ).toHaveLength(1)
  expect((await act('TYPO', 'matchLine', { payment_id: paid })).faults).toEqual([])
  expect((await lineOf('TYPO')).attributes).toMatchObject({
    state: 'matched',
    client_id: ana.id,
    document_id: asked,
  })
  expect(await unseen()).toBeUndefined()
  expect(await books()).toEqual({ balance: '100', payments: 1, suspense: before })
  // What documents have stays as it was typed.
  const { one } = await billing.get(`${base}/transactions/${paid}`)
  expect(one.attributes).toMatchObject({ status: 'succeeded' })
  await bring(line('A3', '2026-03-15', '1.00'))
  expect(await unseen()).toBeUndefined()
})

test('a transfer of another day than the bank’s, recorded after the import, is tied to its line', async () => {
  await bring(line('B1', '2026-03-09', '1.00'), line('B2', '2026-03-11'), line('B3', '2026-03-14', '1.00'))
  expect((await lineOf('B2')).attributes?.candidates).not.toContainEqual(
    expect.objectContaining({ reference: 'B2' }),
  )
  const paid = await record('B2', '2026-03-10')
  expect((await act('B2', 'matchLine', { invoice_id: asked })).faults).toEqual([
    '409 transfer_recorded_otherwise /data/reference',
  ])
  expect((await lineOf('B2')).attributes?.candidates).toMatchObject([{ payment_id: paid, reference: 'B2' }])
  expect((await act('B2', 'matchLine', { payment_id: paid })).faults).toEqual([])
  expect(await books()).toMatchObject({ balance: '100', payments: 1 })
})

test('only transfers of the days around the line, that nothing shows, are candidates', async () => {
  await record('C1', '2026-02-02')
  const near = await record('C2', '2026-02-03')
  const ahead = await record('C3', '2026-03-13')
  await record('C4', '2026-03-14')
  await record('C5', '2026-03-10', 120)
  const shown = await record('C6', '2026-03-10')
  await bring(line('C6', '2026-03-10'), line('C7', '2026-03-10'))
  const candidates = async () => {
    const found = (await lineOf('C7')).attributes?.candidates
    return (found as { payment_id: number | null }[]).flatMap(({ payment_id: id }) => id ?? [])
  }
  expect(shown).toBeGreaterThan(ahead)
  expect(await candidates()).toEqual([near, ahead])
  await act('C7', 'matchLine', { payment_id: ahead })
  expect(await candidates()).toEqual([])
})

test('a line that quotes a document stays certain, and has it first', async () => {
  const paid = await record('D1')
  const { id, fullNumber } = await db
    .transaction()
    .execute((tx) => issueProforma(tx, { clientId: ana.id, sum: { net: '100' } }))
  await bring(line('D2', '2026-03-10', '121.00', fullNumber))
  expect((await lineOf('D2')).attributes).toMatchObject({
    match: 'certain',
    candidates: [{ invoice_id: id, payment_id: null }, { payment_id: paid }],
  })
})

test('a line shows one transfer by hand of its amount and currency, which was not given back', async () => {
  const paid = await record('E1')
  const other = await record('E2', '2026-03-10', 120)
  await bring(line('E3', '2026-03-10'), line('E4', '2026-03-10'))
  const tie = async (reference: string, input: object) => (await act(reference, 'matchLine', input)).faults
  expect(await tie('E3', { payment_id: paid, client_id: ana.id })).toEqual(['422 bank_line_target'])
  expect(await tie('E3', {})).toEqual(['422 bank_line_target'])
  expect(await tie('E3', { payment_id: 999_999_999 })).toEqual(['404 not_found'])
  expect(await tie('E3', { payment_id: other })).toEqual(['422 bank_payment_amount'])
  const euros = camt([line('E5', '2026-03-10')], { currency: 'EUR' })
  expect((await importFile(colleague, euros)).faults).toEqual([])
  expect(await tie('E5', { payment_id: paid })).toEqual(['422 bank_line_currency'])
  expect(await tie('E3', { payment_id: paid })).toEqual([])
  expect(await tie('E4', { payment_id: paid })).toEqual(['409 bank_payment_matched'])
  expect(await tie('E4', { client_id: ana.id })).toEqual([])
  const { rows } = await sql<{
    id: number
  }>`select p.id from payments p join bank_lines l on l.id = p.bank_line_id
    where l.bank_reference = 'E4'`.execute(db)
  await bring(line('E6', '2026-03-10'))
  expect(await tie('E6', { payment_id: rows[0]?.id })).toEqual(['409 bank_payment_unfit'])
  expect((await act('E3', 'undoMatch')).faults).toEqual([])
  expect(await tie('E3', { payment_id: paid })).toEqual(['409 bank_payment_unfit'])
})

test('a transfer typed under the reference of a batch leaves the other payments of the batch free', async () => {
  await bring(line('LOT1', '2026-03-10', '5.00', 'one'), line('LOT1', '2026-03-10', '6.00', 'two'))
  await record('LOT1')
  const { list } = await billing.get(`${base}/bank-lines?filter[search]=LOT1`)
  for (const { id } of list) {
    const matched = await billing.post(`${base}/bank-lines/${id}/-actions/matchLine`, { client_id: ana.id })
    expect(matched.faults).toEqual([])
  }
  expect(await books()).toMatchObject({ payments: 3 })
})

test('two people who tie two lines to one transfer at the same moment have one effect', async () => {
  const paid = await record('F0')
  await bring(line('F1', '2026-03-10'), line('F2', '2026-03-10'))
  const answers = await Promise.all(['F1', 'F2'].map((one) => act(one, 'matchLine', { payment_id: paid })))
  expect(answers.flatMap(({ faults }) => faults)).toEqual(['409 bank_payment_matched'])
  expect(await books()).toMatchObject({ balance: '100', payments: 1 })
})

test('undone, a tied line is open and its transfer credited, as for a line that came after the record', async () => {
  for (const [typed, bank] of [
    ['H1', 'H1'],
    ['H2', 'H3'],
  ] as const) {
    const before = await books()
    const paid = await record(typed)
    await bring(line(bank, '2026-03-10'), line(`LATER${bank.slice(1)}`, '2026-03-14', '1.00'))
    if (bank !== typed) expect((await act(bank, 'matchLine', { payment_id: paid })).faults).toEqual([])
    expect(await books()).toMatchObject({ balance: `${100 + Number(before?.balance)}` })
    expect((await act(bank, 'undoMatch')).faults).toEqual([])
    expect((await lineOf(bank)).attributes).toMatchObject({ state: 'open', client_id: null })
    expect(await books()).toMatchObject({ balance: before?.balance, suspense: before?.suspense })
    expect(await unseen()).toBeUndefined()
  }
})
