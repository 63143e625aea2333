import { base } from '@portico/contract/wire.ts'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { verifyLedger } from '#money/ledger/verify.ts'
import { bankDesk } from '#test/support/bank-desk.ts'
import { makePayer } from '#test/support/card.ts'
import { camt, importFile } from '#test/support/statements.ts'

const { portal, pool, importer: billing } = await bankDesk()

test('the same line of our former account is doubtful, since its number may have been corrected', async () => {
  const ana = await makePayer(portal)
  const entry = { amount: '10.00', text: 'hosting', reference: 'ONE 1' }
  // The operator's bank account changes.
  for (const iban of ['RO49AAAA1B31007593840000', 'DE89370400440532013000']) {
    await sql`update operator_profile set iban = ${iban}`.execute(pool.kysely)
    expect((await importFile(billing, camt([entry], { iban }))).faults).toEqual([])
  }
  const { rows } = await sql<{ id: number }>`select id from bank_lines order by id`.execute(pool.kysely)
  const [first, second] = rows.map(({ id }) => id)
  const act = (line: number | undefined, verb: string, input: object = {}) =>
    billing.post(`${base}/bank-lines/${line}/-actions/${verb}`, input)
  const match = (line: number | undefined) => act(line, 'matchLine', { client_id: ana.id })
  expect((await match(first)).faults).toEqual([])
  expect((await match(second)).faults).toEqual(['409 bank_line_doubtful'])
  // Two accounts may show one reference: it is other money, and its payment has a name of its own.
  expect((await act(second, 'otherMoney')).faults).toEqual([])
  expect((await match(second)).faults).toEqual([])
  const { rows: named } = await sql<{ name: string }>`select provider_ref as name from payments
    where provider = 'bank' order by id`.execute(pool.kysely)
  expect(named.map(({ name }) => name)).toEqual(['ONE 1', `ONE 1 / ${second}`])
  expect(await verifyLedger(pool.kysely)).toEqual([])
})
