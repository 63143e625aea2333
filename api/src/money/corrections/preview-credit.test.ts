import { invoices } from '@portico/contract/resources/invoices.ts'
import { base } from '@portico/contract/wire.ts'
import { sql } from 'kysely'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import type { Account } from '#test/support/account.ts'
import { addCard, keyed, makePayer, pay } from '#test/support/card.ts'
import { makeOperator, newSeries } from '#test/support/documents.ts'
import { businessTime } from '#test/support/money.ts'
import { testPortal, type Visitor } from '#test/support/portal.ts'
import { makeAdmin } from '#test/support/ticket.ts'

const portal = await testPortal()
const { pool } = portal
let billing: Visitor
let ana: Account
let bill: number

beforeAll(() => makeOperator(pool))

/** An open invoice of 20 and 9.99, and VAT. */
beforeEach(async () => {
  await newSeries(pool)
  await businessTime(pool, '2026-11-02T10:00:00Z')
  billing = portal.staff(await makeAdmin(pool, 'billing'))
  ana = await makePayer(portal)
  const lines = [
    { description_en: 'Set-up', quantity: 1, unit_price: 20 },
    { description_en: 'Training, hours', quantity: 3, unit_price: 3.33 },
  ]
  const answer = await keyed(billing, `${base}/desk-clients/${ana.id}/-actions/manualInvoice`, {
    data: { lines },
  })
  bill = JSON.parse(answer.text).invoice_id
})

const act = (verb: string, body: object) => keyed(billing, `${base}/invoices/${bill}/-actions/${verb}`, body)
const asked = (input: object, who = billing, id: number = bill) =>
  who.get(
    `${base}/invoices/${id}/-actions/previewCredit?payload=${encodeURIComponent(JSON.stringify(input))}`,
  )
const preview = async (input: object = {}) =>
  invoices.actions.previewCredit.output.parse((await asked(input)).json)

const payByCard = async () => {
  await addCard(portal, ana)
  await pay(portal.as(ana), { purpose: 'service_bill', invoice_id: bill })
}
const payByTransfer = () =>
  act('recordBankTransfer', { amount: 36.29, received_on: '2026-11-01', reference: `paper ${bill}` })

test('only staff who may credit a bill see what its credit note would be', async () => {
  const bob = await makePayer(portal)
  expect((await asked({}, portal.nobody)).status).toBe(401)
  expect((await asked({}, portal.as(bob))).status).toBe(404)
  expect((await asked({}, portal.as(ana))).faults).toEqual(['403 staff_only'])
  const support = portal.staff(await makeAdmin(pool))
  expect((await asked({}, support)).status).toBe(404)
  await support.get(`${base}/desk-clients/${ana.id}`)
  expect((await asked({}, support)).status).toBe(403)
  expect((await asked({}, billing, 999_999)).status).toBe(404)
  for (const wrong of [{ lines: [0] }, { net: -1 }, { of: 'all' }])
    expect((await asked(wrong)).status).toBe(400)
  expect((await asked({ lines: [1], net: 1 })).faults).toEqual(['422 credit_note_lines_or_net'])
})

test('what is open falls first, and nothing goes back', async () => {
  expect(await preview()).toEqual({
    credited_lines: [],
    by_lines: true,
    by_amount: true,
    left_net: 29.99,
    net: 29.99,
    vat: 6.3,
    total: 36.29,
    from_open: 36.29,
    from_loss: 0,
    from_paid: 0,
    advances: 0,
    ways: ['balance'],
  })
  await act('writeOff', { amount: 12.1 })
  expect(await preview()).toMatchObject({
    from_open: 24.19,
    from_loss: 12.1,
    from_paid: 0,
    ways: ['balance'],
  })
})

test('money of a card can go to the card or to a bank account, money of a transfer to a bank account alone', async () => {
  await payByCard()
  expect(await preview()).toMatchObject({
    from_open: 0,
    from_paid: 36.29,
    ways: ['balance', 'card', 'bank'],
  })
  // A payment that went back in part does not hold as much any more.
  await sql`update payments set refunded = 30 where document_id = ${bill}`.execute(pool.kysely)
  expect((await preview()).ways).toEqual(['balance'])
  expect((await preview({ net: 5 })).ways).toEqual(['balance', 'card', 'bank'])
})

test('a transfer leaves nothing on a card', async () => {
  await payByTransfer()
  const { ways } = await preview()
  expect(ways).toEqual(['balance', 'bank'])
  const refused = await act('creditNote', { data: { reason: 'Wrong price', to: 'card' } })
  expect(refused.faults).toEqual(['409 credit_note_no_payment'])
})

test('credited lines are named, the rest is what is left, and the note is as it was told', async () => {
  await payByTransfer()
  const told = await preview({ lines: [1] })
  expect(told).toMatchObject({ net: 20, vat: 4.2, total: 24.2, credited_lines: [], by_amount: true })
  const note = await act('creditNote', { data: { reason: 'Wrong price', lines: [1] } })
  expect(JSON.parse(note.text).total).toBe(-told.total)
  expect(await preview()).toMatchObject({
    credited_lines: [1],
    by_lines: true,
    by_amount: false,
    net: 9.99,
    total: 12.09,
  })
  expect((await asked({ lines: [1] })).faults).toEqual(['409 credited_already'])
  await act('creditNote', { data: { reason: 'Wrong price' } })
  expect((await asked({})).faults).toEqual(['409 credited_already'])
})

test('after an amount, lines cannot be chosen', async () => {
  await act('creditNote', { data: { reason: 'Wrong price', net: 10 } })
  expect(await preview()).toMatchObject({
    by_lines: false,
    by_amount: true,
    left_net: 19.99,
    credited_lines: [],
  })
  expect((await asked({ lines: [1] })).faults).toEqual(['409 credited_by_amount'])
})

test('a deposit is credited by a refund', async () => {
  await addCard(portal, ana)
  await pay(portal.as(ana), { net: 20 })
  const { list } = await billing.get(`${base}/invoices?filter[client_id]=${ana.id}`)
  const deposit = list.find(({ attributes }) => attributes?.reason === 'advance')
  expect((await asked({}, billing, Number(deposit?.id))).faults).toEqual(['409 credit_note_deposit'])
})
