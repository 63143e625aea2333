import { base } from '@portico/contract/wire.ts'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { addCard, makePayer } from '#test/support/card.ts'
import { testPortal } from '#test/support/portal.ts'

const portal = await testPortal()
const db = portal.pool.kysely
const url = `${base}/automated-billing-rules`
const at = (name: string) => `/data/attributes/${name}`

test('automatic payment of an account in lei keeps to the amounts of lei, by whichever way', async () => {
  const mihai = await makePayer(portal, null, { currency: 'RON' })
  const me = portal.as(mihai)
  const card = String(await addCard(portal, mihai))
  const relationships = { card: { data: { type: 'cards', id: card } } }
  const type = 'automated-billing-rules'
  const make = (more: object) => {
    const attributes = { threshold_amount: 25, recharge_amount: 50, ...more }
    return me.post(url, { data: { type, attributes, relationships } })
  }
  const low = await make({ threshold_amount: 24.99, recharge_amount: 49.99 })
  expect(low.errors.map(({ code, detail, source }) => [code, detail, source?.pointer])).toEqual([
    ['number_least', 'At least 25', at('threshold_amount')],
    ['number_least', 'At least 50', at('recharge_amount')],
  ])
  const high = await make({ recharge_amount: 50_000.01, monthly_cap: 500_000.01 })
  expect(high.errors.map(({ code, source }) => [code, source?.pointer])).toEqual([
    ['number_most', at('recharge_amount')],
    ['number_most', at('monthly_cap')],
  ])
  const made = await make({})
  expect(made.status).toBe(201)
  const id = made.one.id
  const changed = await me.patch(`${url}/${id}`, {
    data: { type, id, attributes: { threshold_amount: 24.99 } },
  })
  expect([changed.status, changed.errors[0]?.code, changed.errors[0]?.source]).toEqual([
    422,
    'number_least',
    { pointer: at('threshold_amount') },
  ])
  for (const [change, constraint] of [
    ['threshold_amount = 24.99', 'rules_threshold'],
    ['recharge_amount = 50000.01', 'rules_recharge'],
    ['monthly_cap = 500000.01', 'rules_cap_most'],
  ])
    await expect(
      sql.raw(`update automated_billing_rules set ${change} where client_id = ${mihai.id}`).execute(db),
    ).rejects.toMatchObject({ constraint })
})
