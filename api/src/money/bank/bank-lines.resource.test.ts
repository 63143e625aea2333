import { base } from '@portico/contract/wire.ts'
import { sql } from 'kysely'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { issueProforma } from '#money/invoices/invoices.ts'
import { verifyLedger } from '#money/ledger/verify.ts'
import type { Account } from '#test/support/account.ts'
import { keyed, makePayer } from '#test/support/card.ts'
import { makeOperator } from '#test/support/documents.ts'
import { businessTime } from '#test/support/money.ts'
import { testPortal, type Visitor } from '#test/support/portal.ts'
import {
  camt,
  csv,
  csvColumns,
  type Entry,
  importFile,
  leaveOtherDays,
  mt940,
} from '#test/support/statements.ts'
import { makeAdmin } from '#test/support/ticket.ts'

const portal = await testPortal({ poolSize: 16 })
const { pool } = portal
const db = pool.kysely
const lines = `${base}/bank-lines`
let billing: Visitor
let dan: Visitor
let ana: Account
let asked: { id: number; fullNumber: string }

const proformaOf = ({ id }: Account, net = '50') =>
  db.transaction().execute((tx) => issueProforma(tx, { clientId: id, sum: { net } }))

beforeAll(async () => {
  await businessTime(pool, '2026-03-20T10:00:00Z')
  await makeOperator(pool)
  billing = portal.staff(await makeAdmin(pool, 'billing'))
  dan = portal.staff(await makeAdmin(pool, 'admin'))
})
beforeEach(async () => {
  await sql`update bank_lines set state = 'ignored' where state in ('open', 'doubtful')`.execute(db)
  await leaveOtherDays(db)
  await sql`update staff_alerts set resolved_at = now() where resolved_at is null`.execute(db)
  ana = await makePayer(portal)
  asked = await proformaOf(ana)
})

let references = 0
/** Money that came for a proforma. */
const entry = (more: Partial<Entry> = {}): Entry => ({
  amount: '60.50',
  text: `Plata ${asked.fullNumber}`,
  reference: `R${String(++references).padStart(4, '0')}`,
  iban: `RO09BCYP${String(ana.id).padStart(16, '0')}`,
  payer: `Nobody ${references}`,
  ...more,
})

type Shown = { readonly id: string; readonly [attribute: string]: unknown }

const listed = async (query = 'filter[state]=open&sort=booked_on') =>
  (await billing.get(`${lines}?${query}`)).list.map(({ id, attributes }): Shown => ({ ...attributes, id }))

async function lineOf(one: Entry) {
  const [line] = await listed(`filter[search]=${one.reference}`)
  if (!line) throw new Error(`There is no line ${one.reference}.`)
  return line
}

const act = (who: Visitor, id: string, name: string, body: object = {}) =>
  who.post(`${lines}/${id}/-actions/${name}`, body)
const confirm = async (who = billing) =>
  JSON.parse((await who.post(`${lines}/-actions/confirmCertain`, {})).text)

/** The account's balance, and how it was paid; the ledger is sound, and holds for nobody what is open. */
async function state({ id }: Account = ana) {
  expect(await verifyLedger(db)).toEqual([])
  const { rows } = await sql<{ balance: string; documents: string[] }>`
    select trim_scale(b.account_balance)::text as balance,
      array(select i.kind || ' ' || s.code || ' ' || i.net || ' + ' || i.vat from invoices i
        join invoice_statuses s on s.id = i.invoice_status_id where i.client_id = ${id} order by i.id) as documents
    from account_balances b where b.client_id = ${id}`.execute(db)
  return rows[0]
}

/** The balance of the suspense account. */
async function suspense(): Promise<number> {
  const { rows } = await sql<{ sum: string }>`select coalesce(sum(e.amount), 0) as sum from ledger_entries e
    join ledger_accounts a on a.id = e.account_id where a.kind = 'suspense'`.execute(db)
  return Number(rows[0]?.sum)
}

test('money that quotes a proforma with its amount is confirmed for all at once, once', async () => {
  const before = await suspense()
  const bob = await makePayer(portal)
  const his = await proformaOf(bob, '100')
  const first = entry()
  const second = entry({ amount: '121.00', text: `invoice ${his.fullNumber.replace('-', ' ')} thanks` })
  const third = entry({ amount: '9.00', text: 'no idea' })
  const done = await importFile(billing, camt([first, second, third]))
  expect([done.status, JSON.parse(done.text)]).toMatchObject([
    200,
    { repeated: false, lines: 3, imported: 3 },
  ])
  expect((await suspense()) - before).toBe(190.5)
  expect((await listed()).map(({ match }) => match)).toEqual(['certain', 'certain', 'none'])
  expect(await confirm()).toEqual({ confirmed: 2, failed: 0, more: false })
  expect(await state()).toEqual({
    balance: '50',
    documents: ['proforma paid 50.00 + 10.50', 'fiscal paid 50.00 + 10.50'],
  })
  expect(await state(bob)).toMatchObject({ balance: '100' })
  expect(await lineOf(first)).toMatchObject({
    state: 'matched',
    client_id: ana.id,
    document_number: asked.fullNumber,
  })
  expect((await suspense()) - before).toBe(9)
  expect(await confirm()).toEqual({ confirmed: 0, failed: 0, more: false })
  expect(await state()).toMatchObject({ balance: '50' })
})

test('the same file, the same lines in another format, and overlapping statements change nothing twice', async () => {
  const all = [entry(), entry({ amount: '7.00', text: 'x' }), entry({ amount: '8.00', text: 'y' })]
  const file = camt(all.slice(0, 2))
  const [one, two] = await Promise.all([importFile(billing, file), importFile(dan, file)])
  const answers = [one, two].map(({ text }) => JSON.parse(text))
  expect(answers.map(({ repeated }) => repeated).sort()).toEqual([false, true])
  expect(answers[0].statement_id).toBe(answers[1].statement_id)
  const before = await suspense()
  const overlap = await importFile(billing, mt940(all))
  expect(JSON.parse(overlap.text)).toMatchObject({ repeated: false, lines: 3, imported: 1 })
  expect((await suspense()) - before).toBe(8)
  const table = await importFile(billing, csv(all), { filename: 'a.csv', columns: csvColumns })
  expect(JSON.parse(table.text)).toMatchObject({ lines: 3, imported: 0 })
  expect(await listed()).toHaveLength(3)
})

test('equal lines without a reference are counted by their order in the statement', async () => {
  const same = entry({ amount: '5.00', text: 'coffee', reference: undefined })
  expect(JSON.parse((await importFile(billing, camt([same, same]))).text)).toMatchObject({
    lines: 2,
    imported: 2,
  })
  expect(JSON.parse((await importFile(billing, mt940([same, same, same]))).text)).toMatchObject({
    imported: 1,
  })
})

test('unknown headings of a CSV are asked for once, and then known', async () => {
  const odd = (text: string) => text.replace('Detalii', 'Explicații')
  const columns = { ...csvColumns, text: 'Explicații' }
  const asks = await importFile(billing, odd(csv([entry()])), { filename: 'a.csv' })
  expect(asks.faults).toEqual(['422 statement_columns_needed'])
  expect(asks.errors[0]?.meta).toMatchObject({
    columns: expect.arrayContaining(['Data', 'Suma', 'Explicații']),
  })
  expect((await importFile(billing, odd(csv([entry()])), { columns })).status).toBe(200)
  expect(
    (await importFile(billing, odd(csv([entry({ amount: '3.00' })])), { filename: 'b.csv' })).status,
  ).toBe(200)
})

test('likely money is listed with its candidates, best first, and a person decides', async () => {
  const clear = entry({ amount: '50.00' })
  await importFile(billing, camt([clear]))
  const line = await lineOf(clear)
  expect(line).toMatchObject({
    match: 'likely',
    candidates: [{ full_number: asked.fullNumber, due: 60.5, signs: ['number'] }],
  })
  expect(await confirm()).toMatchObject({ confirmed: 0 })
  expect((await act(billing, line.id, 'matchLine', { invoice_id: asked.id })).status).toBe(200)
  expect(await state()).toMatchObject({
    documents: ['proforma partially_paid 50.00 + 10.50', 'fiscal paid 41.32 + 8.68'],
  })
  // The account that paid is known from now on.
  const next = entry({ amount: '33.00', text: 'thanks' })
  await importFile(billing, camt([next]))
  expect((await lineOf(next)).candidates).toMatchObject([
    { client_id: ana.id, full_number: asked.fullNumber, signs: ['iban'] },
    { client_id: ana.id, full_number: null, signs: ['iban'] },
  ])
  // The same amount as two documents, without a number, is no proof.
  const bob = await makePayer(portal)
  await proformaOf(bob, '77')
  const alone = entry({ amount: '93.17', text: 'thanks', iban: 'RO09BCYP0000000000000000' })
  await importFile(billing, camt([alone]))
  expect(await lineOf(alone)).toMatchObject({
    match: 'likely',
    candidates: [{ client_id: bob.id, signs: ['amount'] }],
  })
})

test('a document that was paid meanwhile is no candidate, unless the line names it', async () => {
  const numbers = async (one: Parameters<typeof lineOf>[0]) => {
    const { candidates } = (await lineOf(one)) as { candidates?: { full_number: string | null }[] }
    return candidates?.map(({ full_number }) => full_number)
  }
  const named = entry({ amount: '50.00' })
  const alike = entry({ text: 'thanks' })
  await importFile(billing, camt([entry(), named, alike]))
  expect(await numbers(alike)).toContain(asked.fullNumber)
  await confirm()
  expect(await numbers(named)).toEqual([asked.fullNumber])
  expect(await numbers(alike)).not.toContain(asked.fullNumber)
})

test('the second of two transfers for one document, a reversal, and the account of another are not certain', async () => {
  const bob = await makePayer(portal)
  const his = entry({ amount: '1.00', text: 'thanks', iban: 'RO09BCYP0000000000000007' })
  await importFile(billing, camt([his]))
  await act(billing, (await lineOf(his)).id, 'matchLine', { client_id: bob.id })
  await importFile(billing, camt([entry(), entry()]))
  expect((await listed()).map(({ match }) => match).sort()).toEqual(['certain', 'likely'])
  await confirm()
  asked = await proformaOf(ana)
  const back = entry({ day: '2026-03-18' })
  await importFile(billing, mt940([back]).replace('0318C60', '0318RD60'))
  expect(await lineOf(back)).toMatchObject({ is_reversal: true, match: 'likely' })
  const elsewhere = entry({ iban: 'RO09BCYP0000000000000007' })
  await importFile(billing, camt([elsewhere]))
  expect(await lineOf(elsewhere)).toMatchObject({ match: 'likely' })
})

test('two people who decide about one line at the same moment have one effect', async () => {
  const bob = await makePayer(portal)
  const one = entry()
  await importFile(billing, camt([one]))
  const { id } = await lineOf(one)
  const answers = await Promise.all([
    act(billing, id, 'matchLine', { invoice_id: asked.id }),
    act(dan, id, 'matchLine', { client_id: bob.id }),
    confirm(billing),
    confirm(dan),
    act(billing, id, 'ignoreLine'),
    act(dan, id, 'returnLine'),
  ])
  const accepted = answers.filter((answer) => answer.status === 200).length
  const confirmed = answers.reduce((sum, answer) => sum + (answer.confirmed ?? 0), 0)
  expect(accepted + confirmed).toBe(1)
  const { rows } = await sql<{
    n: number
  }>`select count(*)::int as n from payments where bank_line_id = ${id}`.execute(db)
  expect(rows[0]?.n).toBeLessThanOrEqual(1)
  await state()
})

test('a document that was paid meanwhile is not paid twice: a person decides about the money', async () => {
  const one = entry()
  await importFile(billing, camt([one]))
  await keyed(billing, `${base}/invoices/${asked.id}/-actions/recordBankTransfer`, {
    amount: 60.5,
    received_on: '2026-03-19',
    reference: 'from the paper',
  })
  expect(await confirm()).toMatchObject({ confirmed: 0, failed: 1 })
  expect(await lineOf(one)).toMatchObject({ state: 'open', match: 'likely', problem: 'bill_overpaid' })
  expect(await state()).toMatchObject({ balance: '50' })
})

test('what staff recorded from the paper by the same reference is not open, nor in suspense', async () => {
  const one = entry()
  await keyed(billing, `${base}/invoices/${asked.id}/-actions/recordBankTransfer`, {
    amount: 60.5,
    received_on: '2026-03-19',
    reference: one.reference,
  })
  const before = await suspense()
  await importFile(billing, camt([one]))
  expect(await lineOf(one)).toMatchObject({ state: 'matched', client_id: ana.id })
  expect(await suspense()).toBe(before)
  expect(await state()).toMatchObject({ balance: '50' })
})

test('a line that cannot be recorded says why, and the others are confirmed', async () => {
  const old = entry({ day: '2024-03-19' })
  const good = await makePayer(portal)
  const his = await proformaOf(good)
  await importFile(billing, camt([old, entry({ text: his.fullNumber })]))
  expect(await confirm()).toEqual({ confirmed: 1, failed: 1, more: false })
  expect(await lineOf(old)).toMatchObject({ state: 'open', match: 'likely', problem: 'transfer_too_old' })
})

test('money in another currency is no client’s, and needs a decision', async () => {
  const one = entry()
  await importFile(billing, camt([one], { currency: 'RON' }))
  const line = await lineOf(one)
  expect(line).toMatchObject({ currency: 'RON', match: 'none' })
  for (const target of [{ invoice_id: asked.id }, { client_id: ana.id }])
    expect((await act(billing, line.id, 'matchLine', target)).faults).toEqual(['422 bank_line_currency'])
  for (const target of [{}, { invoice_id: asked.id, client_id: ana.id }])
    expect((await act(billing, line.id, 'matchLine', target)).faults).toEqual(['422 bank_line_target'])
  for (const target of [{ invoice_id: 999_999 }, { client_id: 999_999 }])
    expect((await act(billing, line.id, 'matchLine', target)).status).toBe(404)
  const mixed = camt([one, entry()]).replace('Ccy="USD">60.50', 'Ccy="RON">60.50')
  expect((await importFile(billing, mixed)).faults).toEqual(['422 statement_line_invalid'])
})

test('ignored and returned money leaves the suspense account, and comes back when that is undone', async () => {
  const before = await suspense()
  const [own, strange] = [entry({ text: 'own transfer' }), entry({ text: 'unknown', amount: '4.00' })]
  await importFile(billing, camt([own, strange]))
  const alert = async () =>
    (await dan.get(`${base}/staff-alerts?filter[open]=true`)).list.filter(
      ({ attributes }) => attributes?.kind === 'bank_money_unknown',
    )
  expect(await alert()).toMatchObject([{ attributes: { detail: { lines: 2 } } }])
  const { id } = await lineOf(own)
  expect((await act(billing, id, 'ignoreLine')).status).toBe(200)
  expect((await act(billing, (await lineOf(strange)).id, 'returnLine')).status).toBe(200)
  expect(await suspense()).toBe(before)
  expect(await alert()).toEqual([])
  expect((await act(billing, id, 'returnLine')).faults).toEqual(['409 bank_line_decided'])
  expect((await act(billing, id, 'undoMatch')).status).toBe(200)
  expect((await act(billing, id, 'undoMatch')).faults).toEqual(['409 bank_line_open'])
  expect((await act(billing, id, 'ignoreLine')).status).toBe(200)
  expect(await suspense()).toBe(before)
  await state()
})

test('an undone match is credited, its proforma is open again, and the line goes to another client', async () => {
  const one = entry()
  await importFile(billing, camt([one]))
  await confirm()
  const { id } = await lineOf(one)
  const before = await suspense()
  expect((await act(billing, id, 'undoMatch')).status).toBe(200)
  expect((await suspense()) - before).toBe(60.5)
  expect(await state()).toEqual({
    balance: '0',
    documents: [
      'proforma unpaid 50.00 + 10.50',
      'fiscal refunded 50.00 + 10.50',
      'credit_note paid -50.00 + -10.50',
    ],
  })
  expect(await lineOf(one)).toMatchObject({ state: 'open', match: 'certain', client_id: null })
  const bob = await makePayer(portal)
  expect((await act(billing, id, 'matchLine', { client_id: bob.id })).status).toBe(200)
  expect(await state(bob)).toMatchObject({ balance: '50', documents: ['fiscal paid 50.00 + 10.50'] })
  expect(await suspense()).toBe(before)
})

test('a match whose money staff are about to send back is not undone, until they give that up', async () => {
  const [one, other] = [entry(), entry({ amount: '121.00', text: 'no idea' })]
  await importFile(billing, camt([one, other]))
  await confirm()
  await act(billing, (await lineOf(other)).id, 'matchLine', { client_id: ana.id })
  const { id, payment_id } = await db
    .selectFrom('bank_lines')
    .select(['id', 'payment_id'])
    .where('bank_reference', '=', String(one.reference))
    .executeTakeFirstOrThrow()
  const transaction = (verb: string, body: object) =>
    keyed(billing, `${base}/transactions/${payment_id}/-actions/${verb}`, body)
  const iban = 'RO49 AAAA 1B31 0075 9384 0000'
  const { refund_id } = JSON.parse((await transaction('refund', { reason: 'Leaves', iban })).text)
  expect((await act(billing, String(id), 'undoMatch')).faults).toEqual(['409 bank_match_used'])
  await transaction('dropTransfer', { refund_id })
  expect((await act(billing, String(id), 'undoMatch')).status).toBe(200)
})

test('a match whose money was used is not undone', async () => {
  const one = entry()
  await importFile(billing, camt([one]))
  await confirm()
  await dan.call('POST', `${base}/desk-clients/${ana.id}/-actions/adjust`, {
    body: { amount: 1, direction: 'down' },
    headers: { 'idempotency-key': `down-${ana.id}` },
  })
  expect((await act(billing, (await lineOf(one)).id, 'undoMatch')).faults).toEqual(['409 bank_match_used'])
  expect(await state()).toMatchObject({ balance: '49' })
})

test('each staff role reads and does what the matrix says, with a reason', async () => {
  const one = entry({ text: 'x' })
  await importFile(billing, camt([one]))
  const { id } = await lineOf(one)
  const [support, readonly] = await Promise.all(
    (['support', 'readonly'] as const).map(async (role) => portal.staff(await makeAdmin(pool, role))),
  )
  const everyone = { support, readonly, client: portal.as(ana), nobody: portal.nobody }
  const read = async (path: string) =>
    Object.fromEntries(
      await Promise.all(
        Object.entries(everyone).map(async ([name, who]) => [name, (await who?.get(path))?.status]),
      ),
    )
  expect(await read(`${lines}/${id}`)).toEqual({ support: 404, readonly: 200, client: 404, nobody: 404 })
  const tried = await Promise.all(
    Object.values(everyone).map(async (who) =>
      who === undefined
        ? []
        : [
            await importFile(who, camt([entry()])),
            await who.post(`${lines}/-actions/confirmCertain`, {}),
            await act(who, id, 'matchLine', { client_id: ana.id }),
            await act(who, id, 'ignoreLine'),
            await act(who, id, 'undoMatch'),
          ].map(({ status }) => status),
    ),
  )
  expect(tried).toEqual([
    [403, 403, 404, 404, 404],
    [403, 403, 403, 403, 403],
    [404, 404, 404, 404, 404],
    [404, 404, 404, 404, 404],
  ])
  const silent = await billing.call('POST', `${lines}/${id}/-actions/ignoreLine`, {
    body: {},
    headers: { 'portico-reason': '' },
  })
  expect(silent.faults).toEqual(['422 staff_reason_required Portico-Reason'])
  await act(billing, id, 'ignoreLine')
  const log = await dan.get(`${base}/staff-actions?filter[verb]=ignoreLine`)
  expect([log.status, log.list.length > 0]).toEqual([200, true])
})

test('a large file is refused by name, and of a client it is not even received', async () => {
  const large = Buffer.alloc(11 * 1024 * 1024, 'a')
  expect((await importFile(billing, large)).faults).toEqual(['413 statement_too_large'])
  expect((await importFile(portal.as(ana), large)).status).toBe(404)
})

test('without an account of the operator nothing is imported', async () => {
  await sql`update operator_profile set iban = null`.execute(db)
  try {
    expect((await importFile(billing, camt([entry()]))).faults).toEqual(['409 bank_account_missing'])
  } finally {
    await sql`update operator_profile set iban = 'RO49AAAA1B31007593840000'`.execute(db)
  }
})

test('the server logged no bug', () => {
  expect(portal.bugs).toEqual([])
})

test('an open alert about the bank counts the lines of this moment', async () => {
  const open = async () =>
    (await billing.get(`${base}/staff-alerts?filter[open]=true`)).list
      .filter(({ attributes }) => attributes?.kind === 'bank_money_unknown')
      .map(({ attributes }) => attributes?.detail)
  await importFile(billing, camt([entry({ amount: '3.00', text: 'a' })]))
  await importFile(billing, camt([entry({ amount: '4.50', text: 'b' })]))
  expect(await open()).toEqual([{ lines: 2, amount: ['7.50 USD'] }])
  const [line] = await listed()
  await act(billing, line?.id ?? '', 'ignoreLine')
  expect(await open()).toMatchObject([{ lines: 1 }])
})

test('documents to pay are found by their number, buyer and open amount, by those who may read them', async () => {
  const bob = await makePayer(portal)
  const found = async (who: Visitor, payable: string) =>
    (await who.get(`${base}/invoices?filter[payable]=${encodeURIComponent(payable)}`)).list.map(
      ({ attributes }) => attributes?.full_number,
    )
  const big = await proformaOf(ana, '777.77')
  expect(await found(billing, big.fullNumber.toLowerCase())).toEqual([big.fullNumber])
  for (const amount of ['941.10', '941,1', '941.1'])
    expect([amount, await found(billing, amount)]).toEqual([amount, [big.fullNumber]])
  expect(await found(billing, 'țiței srl')).toEqual(
    expect.arrayContaining([big.fullNumber, asked.fullNumber]),
  )
  expect(await found(portal.as(bob), big.fullNumber)).toEqual([])
  await keyed(billing, `${base}/invoices/${big.id}/-actions/recordBankTransfer`, {
    amount: 941.1,
    received_on: '2026-03-19',
    reference: 'the big one',
  })
  expect(await found(billing, big.fullNumber)).toEqual([])
})

test('columns that were named wrongly are named anew, and for the same file once its import is taken back', async () => {
  const text = (day: number) => `Ziua;Brut;Net\n${day}.03.2026;8,47;7,00\n`
  const named = (amount: string) => ({
    columns: { day: 'Ziua', amount, currency: 'USD', day_format: 'DD.MM.YYYY', decimal: ',' },
  })
  const into = async (file: string, more: object) => JSON.parse((await importFile(billing, file, more)).text)
  const wrong = await into(text(19), named('Net'))
  expect(wrong).toMatchObject({ repeated: false, imported: 1 })
  // Who names them for a file that is known gets nothing twice.
  expect(await into(text(19), named('Brut'))).toMatchObject({
    repeated: true,
    read_otherwise: true,
    imported: 0,
  })
  expect(await into(text(19), named('Net'))).toMatchObject({ repeated: true, read_otherwise: false })
  const anew = { ask_columns: true }
  expect((await importFile(billing, text(19), anew)).faults).toEqual(['409 bank_statement_imported'])
  const asks = await importFile(billing, text(20), anew)
  expect(asks.errors[0]?.meta).toEqual({ columns: ['Ziua', 'Brut', 'Net'] })
  const back = await billing.post(`${base}/bank-statements/${wrong.statement_id}/-actions/takeBack`, {})
  expect(back.faults).toEqual([])
  const right = await into(text(19), { ...named('Brut'), ...anew })
  expect(right).toMatchObject({ repeated: false, imported: 1 })
  const { list } = await billing.get(`${base}/bank-lines?filter[statement_id]=${right.statement_id}`)
  expect(list.map(({ attributes }) => attributes?.amount)).toEqual([8.47])
})
