import { base } from '@portico/contract/wire.ts'
import { sql } from 'kysely'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { grantEnding } from '#money/balance/trial.ts'
import type { Account } from '#test/support/account.ts'
import { addCard, makePayer, pay } from '#test/support/card.ts'
import { makeOperator } from '#test/support/documents.ts'
import { used } from '#test/support/money.ts'
import { testPortal, type Visitor } from '#test/support/portal.ts'

const portal = await testPortal()
const { pool } = portal
const db = pool.kysely
let ana: Account

beforeAll(() => makeOperator(pool))
beforeEach(async () => {
  ana = await makePayer(portal)
})

/** Quotes a payment. */
async function quoted(visitor: Visitor, payload: Record<string, string | number>) {
  const query = Object.entries(payload).map(([name, value]) => `payload[${name}]=${value}`)
  return JSON.parse((await visitor.get(`${base}/transactions/-actions/quote?${query.join('&')}`)).text)
}

test('the quoted day is that of the balance afterwards, although credit ends before', async () => {
  const me = portal.as(ana)
  await addCard(portal, ana)
  const { rows } = await sql<Record<'before' | 'ends', string>>`select clock_today() - 1 as before,
    clock_today() + 3 as ends`.execute(db)
  const [{ before = '', ends = '' } = {}] = rows
  await db
    .transaction()
    .execute((tx) => grantEnding(tx, ana.id, { key: `test:${ana.id}`, amount: '100', expiresOn: ends }))
  await used(db, ana, [before], '10')
  const { new_exhaustion_date: promised } = await quoted(me, { purpose: 'deposit', amount: 50 })
  expect((await pay(me, { net: 50 })).one.attributes).toMatchObject({ status: 'succeeded' })
  const { attributes } = (await me.get(`${base}/billing-profiles/${ana.id}`)).one
  expect(promised).toBe(attributes?.exhaustion_date)
})
