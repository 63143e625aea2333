import { base } from '@portico/contract/wire.ts'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { verifyLedger } from '#money/ledger/verify.ts'
import { bankDesk } from '#test/support/bank-desk.ts'
import { makePayer } from '#test/support/card.ts'
import type { Visitor } from '#test/support/portal.ts'
import { camt, importFile } from '#test/support/statements.ts'

// A name that a decision is to leave free for its line is taken beforehand, to keep a colleague from undoing it.

const { portal, db, importer: thief, colleague } = await bankDesk()
const lines = `${base}/bank-lines`

const act = (by: Visitor, id: number, verb: string, input: object = {}) =>
  by.post(`${lines}/${id}/-actions/${verb}`, input)

async function imported(by: Visitor, reference: string, amount: string) {
  const answer = await importFile(by, camt([{ amount, text: 'hosting', reference }]))
  expect(answer.faults).toEqual([])
  const { statement_id: statement } = JSON.parse(answer.text)
  const { rows } = await sql<{
    id: number
  }>`select id from bank_lines where statement_id = ${statement}`.execute(db)
  return { statement, id: rows[0]?.id ?? 0 }
}

test('a match is undone where another payment has the name that its payment gets', async () => {
  const ana = await makePayer(portal)
  const { id } = await imported(colleague, 'TAKEN1', '50.00')
  expect((await act(thief, id, 'matchLine', { client_id: ana.id })).faults).toEqual([])
  const { rows } = await sql<{
    payment: number
  }>`select payment_id as payment from bank_lines where id = ${id}`.execute(db)
  const blocking = await imported(thief, `TAKEN1 / ${rows[0]?.payment}`, '1.00')
  expect((await act(thief, blocking.id, 'matchLine', { client_id: ana.id })).faults).toEqual([])
  const undone = await act(colleague, id, 'undoMatch')
  expect([undone.faults, undone.text]).toEqual([[], '{"state":"open"}'])
  expect(await verifyLedger(db)).toEqual([])
})

test('whoever took back what a colleague ignored has limits also where its name was taken', async () => {
  const ana = await makePayer(portal)
  await sql`update staff_limits set per_action = 10, per_day = 25 where verb = 'recordBankTransfer'`.execute(
    db,
  )
  const { statement, id } = await imported(colleague, 'TAKEN3', '50.00')
  await imported(thief, `TAKEN3 / ${id}`, '1.00')
  expect((await act(colleague, id, 'ignoreLine')).faults).toEqual([])
  expect((await thief.post(`${base}/bank-statements/${statement}/-actions/takeBack`, {})).faults).toEqual([])
  const again = await imported(colleague, 'TAKEN3', '50.00')
  expect((await act(thief, again.id, 'matchLine', { client_id: ana.id })).faults).toEqual([
    '403 bank_line_own_import',
  ])
})

test('a line is matched where somebody took every name of its payment that can be guessed', async () => {
  const ana = await makePayer(portal)
  const { id } = await imported(colleague, 'TAKEN4', '5.00')
  for (const [n, name] of ['TAKEN4', `TAKEN4 / ${id}`].entries()) {
    const { id: blocking } = await imported(thief, name, `${n + 1}.00`)
    expect((await act(thief, blocking, 'matchLine', { client_id: ana.id })).faults).toEqual([])
  }
  expect((await act(colleague, id, 'matchLine', { client_id: ana.id })).faults).toEqual([])
  const { rows } = await sql<{
    name: string
  }>`select provider_ref as name from payments where bank_line_id = ${id}`.execute(db)
  expect(rows[0]?.name).toMatch(/^TAKEN4 \/ [0-9a-f-]{36}$/)
})
