import { base } from '@portico/contract/wire.ts'
import { sql } from 'kysely'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import type { Account } from '#test/support/account.ts'
import { bankDesk, checkSuspense } from '#test/support/bank-desk.ts'
import { keyed, makePayer } from '#test/support/card.ts'
import type { Visitor } from '#test/support/portal.ts'
import { camt, csv, csvColumns, type Entry, importFile, mt940, ownIban } from '#test/support/statements.ts'
import { makeAdmin } from '#test/support/ticket.ts'

// An import that was read wrongly is taken back, and its file is imported again.

const { portal, pool, db } = await bankDesk()
const lines = `${base}/bank-lines`
const statements = `${base}/bank-statements`
let billing: Visitor
let colleague: Visitor
let ana: Account

checkSuspense(db)
beforeAll(async () => {
  await sql`update staff_limits set per_action = 100, per_day = 250 where verb = 'recordBankTransfer'`.execute(
    db,
  )
})
beforeEach(async () => {
  billing = portal.staff(await makeAdmin(pool, 'billing'))
  colleague = portal.staff(await makeAdmin(pool, 'billing'))
  ana = await makePayer(portal)
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
  expect([back.faults, JSON.parse(back.text)]).toEqual([[], { lines: 2, stayed: 0 }])
  expect(await alerted()).toEqual([])
  expect(await shown(wrong.statement)).toMatchObject({
    open_lines: 0,
    matched_lines: 0,
    taken_back_at: expect.any(String),
  })
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

/** The import as the list shows it. */
const shown = async (statement: number) => (await billing.get(`${statements}/${statement}`)).one.attributes

test('all lines but the matched ones are taken back, and those too once they are open again', async () => {
  const { statement, ids } = await imported(billing, camt([entry('10.00'), entry('20.00'), entry('30.00')]))
  expect((await matched(billing, ids[0])).faults).toEqual([])
  expect((await act(billing, ids[1], 'ignoreLine')).faults).toEqual([])
  const back = await takeBack(billing, statement)
  expect([back.faults, JSON.parse(back.text)]).toEqual([[], { lines: 2, stayed: 1 }])
  expect(await shown(statement)).toMatchObject({
    imported: 1,
    total: 10,
    matched_lines: 1,
    open_lines: 0,
    taken_back_at: expect.any(String),
  })
  expect((await takeBack(billing, statement)).faults).toEqual(['409 bank_statement_taken_back'])
  expect((await act(billing, ids[0], 'undoMatch')).faults).toEqual([])
  expect(await shown(statement)).toMatchObject({ imported: 1, open_lines: 1, matched_lines: 0 })
  const rest = await takeBack(billing, statement)
  expect([rest.faults, JSON.parse(rest.text)]).toEqual([[], { lines: 1, stayed: 0 }])
  expect(await shown(statement)).toMatchObject({ imported: 0, total: 0, open_lines: 0 })
  expect((await takeBack(billing, statement)).faults).toEqual(['409 bank_statement_taken_back'])
  for (const id of ids) {
    expect((await matched(billing, id)).faults).toEqual(['409 bank_line_decided'])
    expect((await act(billing, id, 'ignoreLine')).faults).toEqual(['409 bank_line_decided'])
    expect((await act(billing, id, 'undoMatch')).faults).toEqual(['409 bank_line_taken_back'])
  }
})

test('an import whose every line is matched has nothing to take back', async () => {
  const { statement, ids } = await imported(billing, camt([entry('10.00')]))
  expect((await matched(billing, ids[0])).faults).toEqual([])
  expect((await takeBack(billing, statement)).faults).toEqual(['409 bank_statement_matched'])
  expect(await shown(statement)).toMatchObject({ imported: 1, total: 10, taken_back_at: null })
})

/** A table whose days can be read in two ways; without references where the bank gives none. */
const ambiguous = (mark: string, reference: (at: number) => string) =>
  `Cont;Data;Suma;Detalii;Ref ${mark}\n${['10,00', '10,00', '20,00']
    .map((amount, at) => `${ownIban};02/03/2026;${amount};hosting ${mark} ${at};${reference(at)}\n`)
    .join('')}`
const read = (mark: string, day_format: string) => ({
  columns: {
    day: 'Data',
    amount: 'Suma',
    text: 'Detalii',
    reference: `Ref ${mark}`,
    account: 'Cont',
    currency: 'USD',
    day_format,
    decimal: ',',
  },
  ask_columns: true,
})

/** Every line of a table that was not taken back. */
const linesOf = async (mark: string) =>
  (await billing.get(`${lines}?filter[search]=hosting ${mark}&sort=booked_on`)).list
    .map(({ attributes }) => attributes)
    .filter((line) => line?.state !== 'taken_back')
    .map((line) => [line?.text, line?.amount, line?.state, line?.booked_on])
    .sort((one, other) => String(one[0]).localeCompare(String(other[0])))

test.each([
  ['REFD', (at: number) => `REFD${at}`],
  ['BARE', () => ''],
])(
  'a matched line that stayed is not there twice after its file %s was read rightly',
  async (mark, reference) => {
    const file = ambiguous(mark, reference)
    const wrong = await imported(billing, file, read(mark, 'MM/DD/YYYY'))
    // The second of two equal amounts paid a bill, so that its match is not undone.
    const admin = portal.staff(await makeAdmin(pool, 'admin'))
    const line = { description_en: 'Set-up', quantity: 1, unit_price: 8 }
    await keyed(admin, `${base}/desk-clients/${ana.id}/-actions/manualInvoice`, { lines: [line] })
    expect((await matched(billing, wrong.ids[1])).faults).toEqual([])
    expect((await act(billing, wrong.ids[1], 'undoMatch')).faults).toEqual(['409 bank_match_used'])
    const back = await takeBack(billing, wrong.statement)
    expect([back.faults, JSON.parse(back.text)]).toEqual([[], { lines: 2, stayed: 1 }])
    const right = await imported(billing, file, read(mark, 'DD.MM.YYYY'))
    expect(right.ids).toHaveLength(3)
    expect(await linesOf(mark)).toEqual([
      [`hosting ${mark} 0`, 10, 'open', '2026-03-02'],
      [`hosting ${mark} 1`, 10, 'matched', '2026-02-03'],
      [`hosting ${mark} 1`, 10, 'same', '2026-03-02'],
      [`hosting ${mark} 2`, 20, 'open', '2026-03-02'],
    ])
    // What another file of the bank says of the same days is known too.
    const other = await importFile(billing, `${file}\n`, read(mark, 'DD.MM.YYYY'))
    expect(JSON.parse(other.text)).toMatchObject({ repeated: false, imported: 0, doubtful: 0 })
  },
)

test('a person who imports a matched line under another reference has limits for money of the old one', async () => {
  const file = ambiguous('NAME', (at) => `NAME${at}`).replace('20,00', '5000,00')
  const first = await imported(colleague, file, read('NAME', 'DD.MM.YYYY'))
  expect((await matched(billing, first.ids[2])).faults).toEqual([])
  expect(JSON.parse((await takeBack(billing, first.statement)).text)).toEqual({ lines: 2, stayed: 1 })
  const { reference: _, ...nameless } = read('NAME', 'DD.MM.YYYY').columns
  const second = await imported(billing, file, { columns: nameless, ask_columns: true })
  expect((await linesOf('NAME')).map(([, amount, state]) => [amount, state])).toEqual([
    [10, 'open'],
    [10, 'open'],
    [5000, 'matched'],
    [5000, 'same'],
  ])
  const more = { amount: '5000.00', text: 'hosting NAME 2', reference: 'NAME2', day: '2026-03-02' }
  const [other] = (await imported(colleague, camt([more]))).ids
  // Once the match is undone and its import taken back, the money is in no book, and the other reading of it is doubtful.
  expect((await act(billing, first.ids[2], 'undoMatch')).faults).toEqual([])
  expect((await takeBack(billing, first.statement)).faults).toEqual([])
  const doubtful = second.ids[2]
  expect((await act(billing, doubtful, 'sameMoney')).faults).toEqual(['409 bank_line_other_gone'])
  const { one: alike } = await billing.get(`${lines}/${other}`)
  expect(alike.attributes).toMatchObject({ state: 'same', other_lines: [{ id: doubtful }] })
  expect((await act(billing, doubtful, 'otherMoney')).faults).toEqual([])
  expect((await imported(colleague, `${camt([more])}\n`)).ids).toEqual([])
  expect((await matched(billing, doubtful)).faults).toEqual(['403 bank_line_own_import'])
  const third = portal.staff(await makeAdmin(pool, 'billing'))
  expect((await act(third, doubtful, 'ignoreLine')).faults).toEqual([])
})

test('another day of one reference in a table, or another amount, is doubtful and not refused', async () => {
  const read = { columns: csvColumns }
  const [one, other] = [entry('10.00'), entry('20.00')]
  const { ids } = await imported(billing, camt([one, other]))
  expect((await matched(billing, ids[0])).faults).toEqual([])
  const next = { ...one, day: '2026-03-18' }
  const rows = [next, { ...next, amount: '10.01' }, { ...other, day: '2026-03-18' }]
  const answer = JSON.parse((await importFile(billing, csv(rows), read)).text)
  expect(answer).toMatchObject({ imported: 0, doubtful: 3 })
  const doubts = await billing.get(`${lines}?filter[statement_id]=${answer.statement_id}&sort=amount`)
  expect(doubts.list.map(({ attributes }) => attributes?.other_lines)).toMatchObject([
    [{ id: ids[0], amount: 10, state: 'matched', reference: one.reference }],
    [{ id: ids[0], amount: 10 }],
    [{ id: ids[1], amount: 20, state: 'open' }],
  ])
})

test('lines of other files are the same as the next one that stays, and those that may be it are doubtful for that', async () => {
  const one = entry('10.00')
  const [money] = (await imported(billing, camt([one]))).ids
  const between = await imported(billing, csv([{ ...one, day: '2026-03-18' }]), { columns: csvColumns })
  const stateOf = async (id: number | undefined) => (await billing.get(`${lines}/${id}`)).one.attributes
  const last = await imported(billing, mt940([{ ...one, day: '2026-03-18' }]))
  const doubtful = await imported(billing, mt940([{ ...one, day: '2026-03-17' }]))
  const [middle] = between.ids
  const { rows } = await sql<{ id: number; other: number }>`select id, same_as as other from bank_lines
    where id in (${last.ids[0]}, ${doubtful.ids[0]}) order by id`.execute(db)
  expect(rows[0]).toEqual({ id: last.ids[0], other: middle })
  await sql`update bank_lines set same_as = ${middle} where id = ${doubtful.ids[0]}`.execute(db)
  expect((await act(billing, middle, 'sameMoney')).faults).toEqual([])
  expect((await takeBack(billing, between.statement)).faults).toEqual([])
  expect(await stateOf(last.ids[0])).toMatchObject({ state: 'same', other_lines: [{ id: money }] })
  expect(await stateOf(doubtful.ids[0])).toMatchObject({ state: 'doubtful', other_lines: [{ id: money }] })
  expect((await act(billing, doubtful.ids[0], 'sameMoney')).faults).toEqual([])
})

test('a person who takes back what a colleague ignored decides about it as little alone as before', async () => {
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
  const { lines: taken } = JSON.parse(back.text)
  expect([back.faults, taken, match.faults]).toEqual(
    taken === 2 ? [[], 2, ['409 bank_line_decided']] : [[], 1, []],
  )
  await importFile(billing, file)
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from bank_lines where bank_reference in
    (select bank_reference from bank_lines where id = any(${[...ids]}::bigint[])) and state not in ('taken_back', 'same')`.execute(
    db,
  )
  expect(rows[0]?.n).toBe(2)
})
