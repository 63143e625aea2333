import { base } from '@portico/contract/wire.ts'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { verifyLedger } from '#money/ledger/verify.ts'
import { bankDesk } from '#test/support/bank-desk.ts'
import { makePayer } from '#test/support/card.ts'
import { camt, importFile } from '#test/support/statements.ts'

const { portal, pool, importer: billing } = await bankDesk()

test('a line is refused whose reference is that of a payment from our former account, and stays open', async () => {
  const ana = await makePayer(portal)
  const entry = { amount: '10.00', text: 'x', reference: 'ONE 1' }
  // The operator's bank account changes.
  for (const iban of ['RO49AAAA1B31007593840000', 'DE89370400440532013000']) {
    await sql`update operator_profile set iban = ${iban}`.execute(pool.kysely)
    expect((await importFile(billing, camt([entry], { iban }))).faults).toEqual([])
  }
  const { rows } = await sql<{ id: number }>`select id from bank_lines order by id`.execute(pool.kysely)
  const [first, second] = rows.map(({ id }) => id)
  const match = (line: number | undefined) =>
    billing.post(`${base}/bank-lines/${line}/-actions/matchLine`, { client_id: ana.id })
  expect((await match(first)).faults).toEqual([])
  expect((await match(second)).faults).toEqual(['409 bank_payment_matched'])
  const { one } = await billing.get(`${base}/bank-lines/${second}`)
  expect(one.attributes).toMatchObject({ state: 'open' })
  const ignored = await billing.post(`${base}/bank-lines/${second}/-actions/ignoreLine`, {})
  expect(ignored.faults).toEqual([])
  expect(await verifyLedger(pool.kysely)).toEqual([])
})
