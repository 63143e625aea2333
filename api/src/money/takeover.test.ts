import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { PaymentProvider, ProviderMovement } from '#money/payments/providers/payment-provider.ts'
import { addCard, makePayer, pay } from '#test/support/card.ts'
import { makeOperator } from '#test/support/documents.ts'
import { testPortal } from '#test/support/portal.ts'
import { activeSeries, skipNumbers, unknownMovements } from './takeover.ts'

const portal = await testPortal()
const { pool, payments } = portal
const db = pool.kysely
await makeOperator(pool)

test('numbers that the original gave are skipped in a series that has given some', async () => {
  const payer = await makePayer(portal)
  await addCard(portal, payer)
  await pay(portal.as(payer), { net: 20 })
  const used = (await activeSeries(db)).find(({ last }) => last > 0)
  if (!used) throw new Error('The payment had a document.')
  await skipNumbers(db, used, used.last + 3)
  const now = (await activeSeries(db)).find(({ table, id }) => table === used.table && id === used.id)
  expect(now).toEqual({ ...used, last: used.last + 3 })
})

test('charges and refunds are named that only the provider has', async () => {
  const { rows } = await sql<{ ref: string }>`
    select provider_ref as ref from payments where settled_at is not null`.execute(db)
  const movement = (ref: string, kind: ProviderMovement['kind']): ProviderMovement => ({
    ref,
    kind,
    customerRef: null,
    amount: '5',
    currency: 'EUR',
    fee: null,
    at: new Date(0),
  })
  const movements = async function* () {
    for (const { ref } of rows) yield movement(ref, 'charge')
    yield movement('pi_after', 'charge')
    yield movement('re_after', 'refund')
    yield movement('re_after', 'refund_failure')
  }
  const provider: PaymentProvider = Object.assign(Object.create(payments.current), { movements })
  const found = await unknownMovements(db, provider, new Date(0), new Date(1))
  expect(rows.length).toBeGreaterThan(0)
  expect(found.map(({ ref }) => ref)).toEqual(['pi_after', 're_after'])
})
