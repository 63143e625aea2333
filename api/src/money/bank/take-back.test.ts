import { base } from '@portico/contract/wire.ts'
import { sql } from 'kysely'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { verifyLedger } from '#money/ledger/verify.ts'
import type { Account } from '#test/support/account.ts'
import { makePayer } from '#test/support/card.ts'
import { makeOperator } from '#test/support/documents.ts'
import { businessTime } from '#test/support/money.ts'
import { testPortal, type Visitor } from '#test/support/portal.ts'
import { camt, type Entry, importFile, ownIban } from '#test/support/statements.ts'
import { makeAdmin } from '#test/support/ticket.ts'

// An import that was read wrongly is taken back, and its file is imported again.

const portal = await testPortal()
const { pool } = portal
const db = pool.kysely
const lines = `${base}/bank-lines`
const statements = `${base}/bank-statements`
let billing: Visitor
let colleague: Visitor
let ana: Account
let before: number | undefined

beforeAll(async () => {
  await businessTime(pool, '2026-03-20T10:00:00Z')
  await makeOperator(pool)
  await sql`update operator_profile set base_currency = 'USD'`.execute(db)
  await sql`update staff_limits set per_action = 100, per_day = 250 where verb = 'recordBankTransfer'`.execute(
    db,
  )
})
beforeEach(async () => {
  await sql`update bank_lines set state = 'ignored' where state = 'open'`.execute(db)
  before = await unexplained()
  billing = portal.staff(await makeAdmin(pool, 'billing'))
  colleague = portal.staff(await makeAdmin(pool, 'billing'))
  ana = await makePayer(portal)
})
afterEach(async () => {
  expect(await verifyLedger(db)).toEqual([])
  expect(await unexplained()).toBe(before)
})

let references = 0
const entry = (amount: string): Entry => ({ amount, text: 'hosting', reference: `BACK${++references}` })

type Found = { readonly statement: number; readonly ids: readonly number[] }

/** The statement, and the lines, that an import made. */
async function imported(by: Visitor, file: string, more: object = {}): Promise<Found> {
  const answer = await importFile(by, file, more)
  expect(answer.faults).toEqual([])
  const { statement_id: statement } = JSON.parse(answer.text)
  const { rows } = await sql<{
    id: number
  }>`select id from bank_lines where statement_id = ${statement} order by id`.execute(db)
  return { statement, ids: rows.map(({ id }) => id) }
}

const takeBack = (by: Visitor, id: number) => by.post(`${statements}/${id}/-actions/takeBack`, {})
const act = (by: Visitor, id: number | undefined, verb: string, input: object = {}) =>
  by.post(`${lines}/${id}/-actions/${verb}`, input)
const matched = (by: Visitor, id: number | undefined) => act(by, id, 'matchLine', { client_id: ana.id })

/** What the suspense account holds that is in no open line. */
async function unexplained(): Promise<number | undefined> {
  const { rows } = await sql<{ rest: number }>`select (
      (select coalesce(sum(e.amount), 0) from ledger_entries e
        join ledger_accounts a on a.id = e.account_id where a.kind = 'suspense')
      - (select coalesce(sum(amount), 0) from bank_lines where state = 'open'))::float as rest`.execute(db)
  return rows[0]?.rest
}

/** What the open alert about the bank says. */
const alerted = async () =>
  (await billing.get(`${base}/staff-alerts?filter[open]=true`)).list
    .filter(({ attributes }) => attributes?.kind === 'bank_money_unknown')
    .map(({ attributes }) => attributes?.detail)

const table = `Cont;Data;Suma;Sold;Detalii;Referință
${ownIban};19.03.2026;10,00;5010,00;hosting;T1
${ownIban};19.03.2026;20,00;5030,00;hosting;T2
`
const columns = (amount: string) => ({
  columns: {
    day: 'Data',
    amount,
    text: 'Detalii',
    reference: 'Referință',
    account: 'Cont',
    currency: 'USD',
    day_format: 'DD.MM.YYYY',
    decimal: ',',
  },
  ask_columns: true,
})

test('a table whose amounts were read from the column of the balance is taken back, and imported rightly', async () => {
  const wrong = await imported(billing, table, columns('Sold'))
  await act(billing, wrong.ids[1], 'ignoreLine')
  expect((await importFile(billing, table, columns('Suma'))).faults).toEqual(['409 bank_statement_imported'])
  expect(await alerted()).toMatchObject([{ lines: 1, amount: ['5010.00 USD'] }])
  const back = await takeBack(billing, wrong.statement)
  expect([back.faults, JSON.parse(back.text)]).toEqual([[], { lines: 2 }])
  expect(await alerted()).toEqual([])
  const shown = (await billing.get(`${statements}/${wrong.statement}`)).one.attributes
  expect(shown).toMatchObject({ open_lines: 0, matched_lines: 0, taken_back_at: expect.any(String) })
  const right = await imported(billing, table, columns('Suma'))
  const { list } = await billing.get(`${lines}?filter[statement_id]=${right.statement}&sort=amount`)
  expect(list.map(({ attributes }) => attributes)).toMatchObject([
    { reference: 'T1', amount: 10, state: 'open' },
    { reference: 'T2', amount: 20, state: 'open' },
  ])
  expect(await alerted()).toMatchObject([{ lines: 2, amount: ['30.00 USD'] }])
  // The same reading is taken back and imported once more.
  expect((await takeBack(billing, right.statement)).faults).toEqual([])
  const again = await imported(billing, table, columns('Suma'))
  expect(again.ids).toHaveLength(2)
  expect((await matched(billing, again.ids[0])).faults).toEqual([])
})

test('an import with a matched line stays, and one that was taken back has nothing left to decide', async () => {
  const { statement, ids } = await imported(billing, camt([entry('10.00'), entry('20.00')]))
  expect((await matched(billing, ids[0])).faults).toEqual([])
  expect((await billing.get(`${statements}/${statement}`)).one.attributes).toMatchObject({ matched_lines: 1 })
  expect((await takeBack(billing, statement)).faults).toEqual(['409 bank_statement_matched'])
  expect((await act(billing, ids[0], 'undoMatch')).faults).toEqual([])
  expect((await takeBack(billing, statement)).faults).toEqual([])
  expect((await takeBack(billing, statement)).faults).toEqual(['409 bank_statement_taken_back'])
  for (const id of ids) {
    expect((await matched(billing, id)).faults).toEqual(['409 bank_line_decided'])
    expect((await act(billing, id, 'ignoreLine')).faults).toEqual(['409 bank_line_decided'])
    expect((await act(billing, id, 'undoMatch')).faults).toEqual(['409 bank_line_taken_back'])
  }
})

test('whoever takes back what a colleague ignored decides about it as little alone as before', async () => {
  const file = camt([entry('5000.00'), entry('6000.00'), entry('7000.00')])
  const first = await imported(colleague, file)
  for (const id of first.ids.slice(0, 2)) expect((await act(colleague, id, 'ignoreLine')).faults).toEqual([])
  expect((await act(billing, first.ids[1], 'undoMatch')).faults).toEqual([])
  expect((await takeBack(billing, first.statement)).faults).toEqual([])
  // The colleague imports the file again, so that it is no import of the other one.
  const { ids } = await imported(colleague, file)
  expect((await matched(billing, ids[0])).faults).toEqual(['403 bank_line_own_import'])
  expect((await matched(billing, ids[1])).faults).toEqual(['403 bank_line_own_import'])
  expect((await matched(billing, ids[2])).faults).toEqual([])
  const third = portal.staff(await makeAdmin(pool, 'billing'))
  expect((await matched(third, ids[0])).faults).toEqual([])
})

test('an import is taken back by those who import, with a reason and after a recent sign-in', async () => {
  const { statement } = await imported(billing, camt([entry('10.00')]))
  const [support, readonly] = await Promise.all(
    (['support', 'readonly'] as const).map(async (role) => portal.staff(await makeAdmin(pool, role))),
  )
  const tried: number[] = []
  for (const who of [portal.nobody, portal.as(ana), support, readonly])
    if (who) tried.push((await takeBack(who, statement)).status)
  expect(tried).toEqual([404, 404, 404, 403])
  expect((await takeBack(billing, statement + 1000)).status).toBe(404)
  const old = portal.staff(await makeAdmin(pool, 'billing'), 'an hour ago')
  expect((await takeBack(old, statement)).faults).toEqual(['403 recent_sign_in_required'])
  const silent = await billing.call('POST', `${statements}/${statement}/-actions/takeBack`, {
    body: {},
    headers: { 'portico-reason': '' },
  })
  expect(silent.faults).toEqual(['422 staff_reason_required Portico-Reason'])
  const wrong = await billing.post(`${statements}/${statement}/-actions/takeBack`, { lines: [1] })
  expect(wrong.status).toBe(422)
  expect((await takeBack(billing, statement)).faults).toEqual([])
  const admin = portal.staff(await makeAdmin(pool, 'admin'))
  const log = await admin.get(`${base}/staff-actions?filter[verb]=takeBack`)
  expect(log.list.length).toBeGreaterThan(0)
})

test('an import that is taken back while it is matched, or imported again, leaves nothing in between', async () => {
  const file = camt([entry('10.00'), entry('20.00')])
  const { statement, ids } = await imported(billing, file)
  const overlapping = camt([
    entry('30.00'),
    { amount: '20.00', text: 'hosting', reference: `BACK${references - 1}` },
  ])
  const [back, match, other] = await Promise.all([
    takeBack(billing, statement),
    matched(colleague, ids[0]),
    importFile(colleague, overlapping),
  ])
  expect(other.faults).toEqual([])
  expect([back.faults, match.faults]).toEqual(
    back.status === 200 ? [[], ['409 bank_line_decided']] : [['409 bank_statement_matched'], []],
  )
  await importFile(billing, file)
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from bank_lines where reference in
    (select split_part(reference, ' / ', 1) from bank_lines where id = any(${[...ids]}::bigint[])) and state <> 'taken_back'`.execute(
    db,
  )
  expect(rows[0]?.n).toBe(2)
})
