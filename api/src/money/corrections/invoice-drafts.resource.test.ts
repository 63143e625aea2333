import { base } from '@portico/contract/wire.ts'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { type Account, makeAccount } from '#test/support/account.ts'
import type { Answer } from '#test/support/answer.ts'
import { keyed, makePayer } from '#test/support/card.ts'
import { makeOperator } from '#test/support/documents.ts'
import { testPortal, type Visitor } from '#test/support/portal.ts'
import { makeAdmin } from '#test/support/ticket.ts'

const portal = await testPortal()
const drafts = `${base}/invoice-drafts`
const lines = [
  { description_en: 'Migration', description_ro: 'Migrare', quantity: 3, unit_price: 20.5 },
  { description_en: 'Set-up', quantity: 1, unit_price: 10 },
]
const buyer = { country: 'RO', company: false } as const
let billing: Visitor
let client: Account

beforeAll(async () => {
  await makeOperator(portal.pool)
  client = await makePayer(portal, null, buyer)
})

const begin = async (of: Account = client) =>
  (
    await billing.post(drafts, {
      data: {
        type: 'invoice-drafts',
        attributes: { lines },
        relationships: { client: { data: { type: 'desk-clients', id: String(of.id) } } },
      },
    })
  ).one

const issue = (draftId: string | number | undefined, wanted: object = lines) =>
  keyed(billing, `${base}/desk-clients/${client.id}/-actions/manualInvoice`, {
    lines: wanted,
    draft_id: Number(draftId),
  })

// What one test issues does not count against the limit of the day of the next.
beforeEach(async () => {
  billing = portal.staff(await makeAdmin(portal.pool, 'billing'))
})

const codeOf = ({ errors }: Answer) => errors[0]?.code

test('billing prepares an invoice, changes it, reads its VAT of today, and issues it', async () => {
  const { id, attributes } = await begin()
  expect(attributes).toMatchObject({ lines, net: 71.5, currency: 'USD', client_id: client.id })
  const other = [...lines, { description_en: 'Training', quantity: 1, unit_price: 8.5 }]
  const patched = await billing.patch(`${drafts}/${id}`, {
    data: { type: 'invoice-drafts', id, attributes: { lines: other } },
  })
  expect([patched.status, patched.one.attributes?.net]).toEqual([200, 80])
  const preview = await billing.get(`${drafts}/${id}/-actions/previewInvoice`)
  expect(JSON.parse(preview.text)).toEqual({
    net: 80,
    vat: 16.8,
    total: 96.8,
    currency: 'USD',
    vat_treatment: 'domestic',
    vat_rate: 21,
  })
  expect(codeOf(await issue(id, lines))).toBe('draft_changed')
  const issued = await issue(id, other)
  expect(JSON.parse(issued.text)).toMatchObject({ total: 96.8 })
  expect((await billing.get(`${drafts}/${id}`)).status).toBe(404)
  const invoice = (await billing.get(`${base}/invoices/${JSON.parse(issued.text).invoice_id}`)).one.attributes
  expect(invoice).toMatchObject({
    kind: 'fiscal',
    reason: 'manual',
    status: 'unpaid',
    total: 96.8,
    open: 96.8,
  })
})

test('of two people who issue one draft at once, one does', async () => {
  const { id } = await begin()
  const all = await Promise.all(Array.from({ length: 4 }, () => issue(id)))
  expect(all.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409])
})

test('a draft of another client is not issued, and a discarded one neither', async () => {
  const other = await makePayer(portal, null, buyer)
  const [theirs, discarded] = [await begin(other), await begin()]
  expect(codeOf(await issue(theirs.id))).toBe('draft_changed')
  expect((await billing.delete(`${drafts}/${discarded.id}`)).status).toBe(204)
  expect(codeOf(await issue(discarded.id))).toBe('draft_changed')
  expect((await billing.get(`${drafts}/${theirs.id}`)).status).toBe(200)
})

test('a draft for a client without an address is kept, and says what is lacking when it is previewed', async () => {
  const nowhere = await makeAccount(portal.pool, { projects: 1, panels: 1, opening: null })
  const { id } = await begin(nowhere)
  const told = await billing.get(`${drafts}/${id}/-actions/previewInvoice`)
  expect(codeOf(told)).toBe('billing_info_incomplete')
})

test('the client, support and strangers do not find a draft', async () => {
  const { id } = await begin()
  const support = portal.staff(await makeAdmin(portal.pool, 'support'))
  for (const visitor of [portal.as(client), support, portal.nobody])
    expect((await visitor.get(`${drafts}/${id}`)).status).toBe(404)
})
