import { base } from '@portico/contract/wire.ts'
import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { bankDesk, checkSuspense } from '#test/support/bank-desk.ts'
import { makePayer } from '#test/support/card.ts'
import type { Visitor } from '#test/support/portal.ts'
import { camt, csv, csvColumns, importFile, mt940 } from '#test/support/statements.ts'
import { makeAdmin } from '#test/support/ticket.ts'

// A line that may be the money of another one is in no book until a person says what it is.

const { portal, pool, db, importer: billing, colleague } = await bankDesk()
let reference: string
let mark = 0

checkSuspense(db)
beforeEach(async () => {
  reference = `DOUBT${++mark}`
  await sql`update staff_alerts set resolved_at = now() where resolved_at is null`.execute(db)
  await sql`update staff_limits set per_action = 100, per_day = 250 where verb = 'recordBankTransfer'`.execute(
    db,
  )
})

const act = (who: Visitor, id: number, verb: string, input: object = {}) =>
  who.post(`${base}/bank-lines/${id}/-actions/${verb}`, input)

/** A payment, and the line of another format that gives it another day: who imported both, and their ids. */
async function doubt(amount = '50.00', by = colleague) {
  const entry = { amount, text: `invoice ${mark}`, reference, day: '2026-03-18' }
  await importFile(colleague, camt([entry]))
  const answer = await importFile(by, mt940([{ ...entry, day: '2026-03-16' }]))
  expect(JSON.parse(answer.text)).toMatchObject({ imported: 0, doubtful: 1 })
  const { rows } = await sql<{
    id: number
    statement: number
  }>`select id, statement_id as statement from bank_lines
    where bank_reference = ${reference} order by id`.execute(db)
  const [known, doubtful] = rows
  if (!known || !doubtful) throw new Error('The lines are not there.')
  return { known, doubtful, id: doubtful.id }
}

const shown = async (id: number) => (await billing.get(`${base}/bank-lines/${id}`)).one.attributes
const alert = async () =>
  (await billing.get(`${base}/staff-alerts?filter[open]=true`)).list
    .filter(({ attributes }) => attributes?.kind === 'bank_money_unknown')
    .map(({ attributes }) => attributes?.detail)

test('the same money is in the books once, and a person may take that back', async () => {
  const { id, known } = await doubt()
  expect(await shown(id)).toMatchObject({ state: 'doubtful', other_lines: [{ id: known.id, state: 'open' }] })
  expect(await alert()).toMatchObject([{ lines: 2 }])
  for (const verb of ['ignoreLine', 'returnLine', 'matchLine'])
    expect((await act(billing, id, verb, verb === 'matchLine' ? { client_id: 1 } : {})).faults).toEqual([
      '409 bank_line_doubtful',
    ])
  expect((await act(billing, id, 'undoMatch')).faults).toEqual(['409 bank_line_open'])
  expect((await act(billing, id, 'sameMoney')).faults).toEqual([])
  expect(await alert()).toMatchObject([{ lines: 1 }])
  expect((await act(billing, id, 'sameMoney')).faults).toEqual(['409 bank_line_decided'])
  expect((await act(billing, id, 'otherMoney')).faults).toEqual(['409 bank_line_decided'])
  expect((await act(billing, id, 'undoMatch')).text).toBe('{"state":"doubtful"}')
  expect(await alert()).toMatchObject([{ lines: 2 }])
})

test('other money is open, counted with its import, and may still be the same', async () => {
  const { id, doubtful } = await doubt()
  const counts = async () =>
    (await billing.get(`${base}/bank-statements/${doubtful.statement}`)).one.attributes
  expect(await counts()).toMatchObject({ imported: 0, total: 0, doubtful_lines: 1 })
  expect((await act(billing, id, 'otherMoney')).faults).toEqual([])
  expect(await counts()).toMatchObject({ imported: 1, total: 50, doubtful_lines: 0, open_lines: 1 })
  expect((await act(billing, id, 'sameMoney')).faults).toEqual([])
  expect(await counts()).toMatchObject({ imported: 0, total: 0 })
  expect(await shown(id)).toMatchObject({ state: 'same' })
})

test('a person who says that it is other money has the limits of own imports, and a colleague has none', async () => {
  const { id: client_id } = await makePayer(portal)
  const { id } = await doubt('5000.00')
  expect((await act(billing, id, 'otherMoney')).faults).toEqual([])
  expect((await act(billing, id, 'matchLine', { client_id })).faults).toEqual(['403 bank_line_own_import'])
  const third = portal.staff(await makeAdmin(pool, 'billing'))
  expect((await act(third, id, 'matchLine', { client_id })).faults).toEqual([])
})

test('a person who had limits for a line has them also after a colleague said that it is other money', async () => {
  const entry = { amount: '5000.00', text: `invoice ${mark}`, reference, day: '2026-03-16' }
  const file = mt940([entry])
  const { statement_id: statement } = JSON.parse((await importFile(colleague, file)).text)
  const idOf = async () =>
    (
      await sql<{
        id: number
      }>`select max(id) as id from bank_lines where bank_reference = ${reference}`.execute(db)
    ).rows[0]?.id ?? 0
  expect((await act(colleague, await idOf(), 'ignoreLine')).faults).toEqual([])
  const back = await billing.post(`${base}/bank-statements/${statement}/-actions/takeBack`, {})
  expect(back.faults).toEqual([])
  await importFile(colleague, camt([{ ...entry, day: '2026-03-18' }]))
  expect(JSON.parse((await importFile(colleague, file)).text)).toMatchObject({ doubtful: 1 })
  const id = await idOf()
  expect((await act(colleague, id, 'otherMoney')).faults).toEqual([])
  const { id: client_id } = await makePayer(portal)
  for (const who of [billing, colleague])
    expect((await act(who, id, 'matchLine', { client_id })).faults).toEqual(['403 bank_line_own_import'])
})

test('a line whose other one is taken back is doubtful again, and not the same as what is in no book', async () => {
  const { id, known } = await doubt()
  expect((await act(billing, id, 'sameMoney')).faults).toEqual([])
  const back = await billing.post(`${base}/bank-statements/${known.statement}/-actions/takeBack`, {})
  expect(back.faults).toEqual([])
  expect(await shown(id)).toMatchObject({ state: 'doubtful', other_lines: [{ state: 'taken_back' }] })
  expect((await act(billing, id, 'sameMoney')).faults).toEqual(['409 bank_line_other_gone'])
  expect((await act(billing, id, 'otherMoney')).faults).toEqual([])
})

test('a line that is the same as one that is the same itself is that of the first', async () => {
  const { id, known } = await doubt()
  // A third format, with a third day and without the reference.
  const third = mt940([{ amount: '50.00', text: `TRF invoice ${mark}`, reference, day: '2026-03-14' }])
  expect(JSON.parse((await importFile(colleague, third)).text)).toMatchObject({ imported: 0, doubtful: 1 })
  const { rows } = await sql<{
    id: number
  }>`select max(id) as id from bank_lines where bank_reference = ${reference}`.execute(db)
  const last = rows[0]?.id ?? 0
  await sql`update bank_lines set same_as = ${id} where id = ${last}`.execute(db)
  expect((await act(billing, last, 'sameMoney')).faults).toEqual([])
  expect(await shown(last)).toMatchObject({ other_lines: [{ id }] })
  expect((await act(billing, id, 'sameMoney')).faults).toEqual([])
  expect(await shown(last)).toMatchObject({ state: 'same', other_lines: [{ id: known.id }] })
})

test('a person chooses another line of the same amount, and no other one', async () => {
  const { id, known } = await doubt()
  const more = { text: 'other', reference: `${reference}B`, day: '2026-03-17', iban: 'none', payer: 'Other' }
  await importFile(
    colleague,
    camt([
      { ...more, amount: '50.00' },
      { ...more, amount: '51.00', reference: `${reference}C` },
    ]),
  )
  const { rows } = await sql<{
    id: number
  }>`select id from bank_lines where bank_reference in (${`${reference}B`}, ${`${reference}C`})
    order by id`.execute(db)
  const [alike = { id: 0 }, unlike = { id: 0 }] = rows
  expect(await shown(id)).toMatchObject({ other_lines: [{ id: known.id }, { id: alike.id }] })
  for (const other of [unlike.id, id, 999_999_999])
    expect((await act(billing, id, 'sameMoney', { of: other })).faults).toEqual(['422 bank_line_other_unfit'])
  expect((await act(billing, id, 'sameMoney', { of: alike.id })).faults).toEqual([])
  expect(await shown(id)).toMatchObject({ state: 'same', other_lines: [{ id: alike.id }] })
  expect((await act(billing, id, 'undoMatch')).faults).toEqual([])
  expect(await shown(id)).toMatchObject({
    state: 'doubtful',
    other_lines: [{ id: known.id }, { id: alike.id }],
  })
})

test('no line is the same as one that is doubtful for it, however they are chosen', async () => {
  const { id } = await doubt()
  const later = async (day: string) => {
    await importFile(colleague, mt940([{ amount: '50.00', text: `TRF invoice ${mark}`, reference, day }]))
    const { rows } = await sql<{
      id: number
      statement: number
    }>`select id, statement_id as statement from bank_lines
      where bank_reference = ${reference} order by id desc limit 1`.execute(db)
    return rows[0] ?? { id: 0, statement: 0 }
  }
  const [next, last] = [await later('2026-03-12'), await later('2026-03-08')]
  expect((await act(billing, id, 'sameMoney', { of: last.id })).faults).toEqual(['422 bank_line_other_unfit'])
  expect((await act(billing, id, 'sameMoney')).faults).toEqual([])
  for (const { statement } of [last, next])
    expect((await billing.post(`${base}/bank-statements/${statement}/-actions/sameAll`, {})).faults).toEqual(
      [],
    )
  const { rows } = await sql<{ root: number }>`select bank_line_root(id) as root from bank_lines
    where bank_reference = ${reference} and state = 'same'`.execute(db)
  expect(new Set(rows.map(({ root }) => root)).size).toBe(1)
})

test('lines that are the same in a chain are readings of one payment for the next file', async () => {
  const { id } = await doubt()
  const ofOther = {
    amount: '50.00',
    text: `other ${mark}`,
    reference: `${reference}B`,
    payer: 'Other',
    iban: 'none',
  }
  await importFile(colleague, camt([{ ...ofOther, day: '2026-03-17' }]))
  const { rows } = await sql<{
    id: number
  }>`select id from bank_lines where bank_reference = ${ofOther.reference}`.execute(db)
  // A line is the same as one that came later.
  expect((await act(billing, id, 'sameMoney', { of: rows[0]?.id })).faults).toEqual([])
  const third = mt940([{ amount: '50.00', text: `invoice ${mark}`, reference, day: '2026-03-11' }])
  const { statement_id: statement } = JSON.parse((await importFile(colleague, third)).text)
  await sql`update bank_lines set same_as = ${id} where statement_id = ${statement}`.execute(db)
  const all = await billing.post(`${base}/bank-statements/${statement}/-actions/sameAll`, {})
  expect(all.faults).toEqual([])
  const { rows: same } = await sql<{ root: number }>`select bank_line_root(id) as root from bank_lines
    where bank_reference = ${reference} and state = 'same'`.execute(db)
  expect(same).toEqual([{ root: rows[0]?.id }, { root: rows[0]?.id }])
})

test('lines are not the same as each other in a circle', async () => {
  const { id, known, doubtful } = await doubt()
  // It was doubtful for this one, and a person opened it.
  await sql`update bank_lines set same_as = ${id} where id = ${known.id}`.execute(db)
  expect((await act(billing, id, 'sameMoney')).faults).toEqual([])
  expect(await shown(known.id)).toMatchObject({ state: 'open', other_lines: [] })
  for (const input of [{}, { of: id }])
    expect((await act(billing, known.id, 'sameMoney', input)).faults).toEqual(['422 bank_line_other_unfit'])
  await sql`update bank_lines set state = 'doubtful' where id in (${id}, ${known.id})`.execute(db)
  await sql`update bank_lines set statement_id = ${doubtful.statement} where id = ${known.id}`.execute(db)
  const all = await billing.post(`${base}/bank-statements/${doubtful.statement}/-actions/sameAll`, {})
  expect(all.faults).toEqual(['409 bank_statement_not_doubtful'])
  await sql`update bank_lines set state = 'open' where id = ${known.id}`.execute(db)
})

test('a decision that was undone gives back what it took, so that no later file brings money twice', async () => {
  const { id } = await doubt()
  const entry = { amount: '50.00', text: `invoice ${mark}`, reference, day: '2026-03-16' }
  const ofOther = { ...entry, day: '2026-03-14', reference: `${reference}B`, payer: 'Other', iban: 'other' }
  await importFile(colleague, camt([ofOther]))
  // Another format has the doubtful line, and then a person takes it for the money of another payer.
  const table = { columns: csvColumns }
  expect(JSON.parse((await importFile(colleague, csv([entry]), table)).text)).toMatchObject({ doubtful: 0 })
  const { rows } = await sql<{
    id: number
  }>`select id from bank_lines where bank_reference = ${ofOther.reference}`.execute(db)
  expect((await act(billing, id, 'sameMoney', { of: rows[0]?.id })).faults).toEqual([])
  expect((await act(billing, id, 'undoMatch')).faults).toEqual([])
  expect((await act(billing, id, 'otherMoney')).faults).toEqual([])
  const later = JSON.parse((await importFile(colleague, csv([entry, ofOther]), table)).text)
  expect(later).toMatchObject({ imported: 0, doubtful: 0 })
})

test('of several lines that are like one payment, one is the same at once, and a person decides the others', async () => {
  const entry = { amount: '50.00', text: `invoice ${mark}`, reference, day: '2026-03-18' }
  await importFile(colleague, camt([entry]))
  const three = mt940(Array.from({ length: 3 }, () => ({ ...entry, day: '2026-03-16' })))
  const { statement_id: statement } = JSON.parse((await importFile(colleague, three)).text)
  const all = () => billing.post(`${base}/bank-statements/${statement}/-actions/sameAll`, {})
  expect((await all()).text).toBe('{"lines":1}')
  expect((await all()).faults).toEqual(['409 bank_statement_not_doubtful'])
  expect((await billing.get(`${base}/bank-statements/${statement}`)).one.attributes).toMatchObject({
    doubtful_lines: 2,
  })
})

test('every doubtful line of an import is the same at once, but for those whose other line is gone', async () => {
  const entries = ['a', 'b', 'c'].map((text, n) => ({
    amount: `${50 + n}.00`,
    text: `${text} ${mark}`,
    reference: `${reference}${text}`,
  }))
  const first = await importFile(colleague, camt(entries.slice(0, 1)))
  await importFile(colleague, camt(entries.slice(1)))
  const late = mt940(entries.map((one) => ({ ...one, day: '2026-03-16' })))
  const { statement_id: statement } = JSON.parse((await importFile(colleague, late)).text)
  const all = (who: Visitor) => who.post(`${base}/bank-statements/${statement}/-actions/sameAll`, {})
  await billing.post(`${base}/bank-statements/${JSON.parse(first.text).statement_id}/-actions/takeBack`, {})
  const support = portal.staff(await makeAdmin(pool, 'support'))
  const readonly = portal.staff(await makeAdmin(pool, 'readonly'))
  const tried: number[] = []
  for (const who of [portal.nobody, support, readonly]) tried.push((await all(who)).status)
  expect(tried).toEqual([404, 404, 403])
  const answer = await all(billing)
  expect([answer.faults, answer.text]).toEqual([[], '{"lines":2}'])
  expect((await billing.get(`${base}/bank-statements/${statement}`)).one.attributes).toMatchObject({
    imported: 0,
    doubtful_lines: 1,
    left_lines: 3,
  })
  expect((await all(billing)).faults).toEqual(['409 bank_statement_not_doubtful'])
})

test('two people who decide at the same moment have one effect', async () => {
  const { id } = await doubt()
  const answers = await Promise.all([act(billing, id, 'otherMoney'), act(colleague, id, 'otherMoney')])
  expect(answers.flatMap(({ faults }) => faults)).toEqual(['409 bank_line_decided'])
})

test('those who match lines decide, with a reason, about a line that was doubtful', async () => {
  const { id, known } = await doubt()
  const [support, readonly] = await Promise.all(
    (['support', 'readonly'] as const).map(async (role) => portal.staff(await makeAdmin(pool, role))),
  )
  const ana = await makePayer(portal)
  for (const verb of ['sameMoney', 'otherMoney']) {
    const tried: number[] = []
    for (const who of [portal.nobody, portal.as(ana), support, readonly])
      if (who) tried.push((await act(who, id, verb)).status)
    expect(tried).toEqual([404, 404, 404, 403])
    expect((await act(billing, 999_999_999, verb)).status).toBe(404)
    expect((await act(billing, known.id, verb)).faults).toEqual(['409 bank_line_not_doubtful'])
    expect((await act(billing, id, verb, { off: 1 })).status).toBe(422)
    const silent = await billing.call('POST', `${base}/bank-lines/${id}/-actions/${verb}`, {
      body: {},
      headers: { 'portico-reason': '' },
    })
    expect(silent.faults).toEqual(['422 staff_reason_required Portico-Reason'])
  }
  expect(await shown(id)).toMatchObject({ state: 'doubtful' })
})
