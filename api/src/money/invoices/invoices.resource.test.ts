import { base } from '@portico/contract/wire.ts'
import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { closeDueMonth } from '#money/invoices/month/close-run.ts'
import { checkedByRecord } from '#money/invoices/vat/vat-checks.ts'
import { verifyLedger } from '#money/ledger/verify.ts'
import { paymentScopeOn } from '#money/payments/payment-scope.ts'
import { sendRefund } from '#money/payments/refunds/refunds.ts'
import { type Account, makeAccount } from '#test/support/account.ts'
import { addCard, keyed, makePayer, pay } from '#test/support/card.ts'
import { makeBuyer, makeDocuments } from '#test/support/documents.ts'
import { lettersTo, testVault } from '#test/support/mail.ts'
import { businessTime } from '#test/support/money.ts'
import { testPortal, type Visitor } from '#test/support/portal.ts'
import { makeAdmin } from '#test/support/ticket.ts'
import { makeUsage } from '#test/support/usage.ts'

const portal = await testPortal()
const { pool } = portal
const paymentScope = paymentScopeOn({ pool, vault: testVault, payments: portal.payments })
let ana: Account
let guest: Account
let made: { proforma: number; invoice: number; note: number }

beforeAll(async () => {
  await businessTime(pool, '2026-03-20T10:00:00Z')
  ana = await makeAccount(pool, { projects: 2, panels: 1, opening: null })
  guest = await makeAccount(pool, { projects: 1, panels: 0 })
  await portal.share(ana, guest, { billing: 'allowed' })
  made = await makeDocuments(pool, ana)
  const days = ['2026-03-10', '2026-03-11']
  await makeUsage(pool, { client: ana.id, panels: ana.panels.slice(0, 1), days, charged: days })
  await businessTime(pool, '2026-04-01T10:00:00Z')
  await closeDueMonth(pool.kysely, (_, error) => {
    throw error
  })
})

const list = async (query: string, who: { id: number } = ana) => {
  const answer = await portal.as(who).get(`${base}/invoices?filter[client_id]=${ana.id}&${query}`)
  if (answer.status !== 200) throw new Error(`${answer.status} ${answer.text}`)
  return answer.list
}
const kinds = async (query: string, who?: { id: number }) =>
  (await list(query, who)).map(({ attributes }) => `${attributes?.kind} ${attributes?.reason}`)

const all = ['fiscal service_bill', 'credit_note storno', 'fiscal advance', 'proforma advance']

test('documents come the newest first, to the owner and to guests with billing', async () => {
  expect(await kinds('')).toEqual(all)
  expect(await kinds('', guest)).toEqual(all)
  const stranger = await makeAccount(pool, { projects: 1, panels: 0 })
  expect(await kinds('', stranger)).toEqual([])
})

test.each([
  ['filter[kind]=proforma', ['proforma advance']],
  ['filter[status]=unpaid', ['proforma advance', 'fiscal service_bill']],
  ['filter[from]=2026-04-01', ['fiscal service_bill']],
  ['filter[to]=2026-03-31&filter[kind]=fiscal', ['fiscal advance']],
  ['filter[search]=st-1', ['credit_note storno', 'fiscal advance']],
  ['filter[search]=%25', []],
])('%s narrows', async (query, expected) => {
  expect((await kinds(query)).sort()).toEqual([...expected].sort())
})

test.each(['total', 'number', 'issue_date'] as const)('%s orders', async (name) => {
  const values = (rows: Awaited<ReturnType<typeof list>>) => rows.map(({ attributes }) => attributes?.[name])
  const up = values(await list(`sort=${name}`))
  expect(up).toHaveLength(all.length)
  expect([...up].reverse()).toEqual(values(await list(`sort=-${name}`)))
})

test('workspaces and panels narrow by what the lines are of', async () => {
  const bill = ['fiscal service_bill']
  expect(await kinds(`filter[panel_id]=${ana.panels[0]}`)).toEqual(bill)
  expect(await kinds(`filter[project_id]=${ana.projects[0]}`)).toEqual(bill)
  expect(await kinds(`filter[panel_id]=${ana.panels[1]}`)).toEqual([])
})

test('a resource narrows to the bills of months that it was used in, also by the panel that it is in', async () => {
  const bill = ['fiscal service_bill']
  const { rows } = await sql<{ ref: string }>`select distinct resource_ref as ref from usages
    where client_id = ${ana.id} and billed_amount <> 0`.execute(pool.kysely)
  const ref = rows[0]?.ref ?? ''
  expect(await kinds(`filter[resource]=${ref}`)).toEqual(bill)
  expect(await kinds(`filter[resource]=${ana.panels[0]}/${ref}`, guest)).toEqual(bill)
  expect(await kinds(`filter[resource]=${ana.panels[1]}/${ref}`)).toEqual([])
  expect(await kinds('filter[resource]=server/nobodys')).toEqual([])
})

test('use names the bill that it is on, once there is one', async () => {
  const bill = (await list('filter[kind]=fiscal')).find(
    ({ attributes }) => attributes?.reason === 'service_bill',
  )
  const days = ['2026-04-01']
  await makeUsage(pool, { client: ana.id, panels: ana.panels.slice(0, 1), days, charged: days })
  const use = await portal.as(guest).get(`${base}/usages?filter[client_id]=${ana.id}&sort=usage_on`)
  const bills = use.list.map(({ attributes }) => `${attributes?.usage_on} ${attributes?.service_bill_id}`)
  expect(new Set(bills)).toEqual(
    new Set([`2026-03-10 ${bill?.id}`, `2026-03-11 ${bill?.id}`, '2026-04-01 null']),
  )
})

test('a document says all that stands on it, in numbers', async () => {
  const answer = await portal
    .as(ana)
    .get(`${base}/invoices/${made.invoice}?include=invoiceStatus,invoiceSeries,proforma`)
  expect(answer.one.attributes).toMatchObject({
    full_number: 'HST-1',
    status: 'paid',
    net: 50,
    vat: 10.5,
    total: 60.5,
    paid: 60.5,
    credited: 24.2,
    open: 0,
    vat_groups: [{ country: 'RO', category: 'S', rate: 21, net: 50, vat: 10.5 }],
    lines: [{ kind: 'advance', quantity: 1, unit_price: 50, net: 50, vat_rate: 21 }],
    period_from: null,
    pdf_ready: false,
  })
  expect(answer.text).not.toContain('next_number')
  const [bill] = await list('filter[status]=unpaid&filter[kind]=fiscal')
  expect(bill?.attributes).toMatchObject({ period_from: '2026-03-01', period_to: '2026-03-31' })
})

test('the sum of open service bills is a number, visible to its owner alone', async () => {
  const sum = (who: { id: number }, of = ana.id) =>
    portal.as(who).get(`${base}/invoices/-actions/getServiceBillsSum?payload[client_id]=${of}`)
  const [bill] = await list('filter[status]=unpaid&filter[kind]=fiscal')
  const mine = await sum(ana)
  expect([mine.status, JSON.parse(mine.text)]).toEqual([200, bill?.attributes?.total])
  expect(JSON.parse((await sum(guest)).text)).toBe(bill?.attributes?.open)
  expect((await sum(ana, guest.id)).status).toBe(404)
  expect((await sum(ana, 999_999)).status).toBe(404)
})

test('a copy is a letter with a link, to five addresses at most', async () => {
  const ask = (emails: readonly string[]) =>
    portal
      .as(guest)
      .post(`${base}/invoices/${made.invoice}/-actions/requestCopyByEmail`, { data: { emails } })
  expect((await ask(['Books@example.com', 'books@example.com'])).status).toBe(200)
  expect(await lettersTo(pool, 'books@example.com')).toMatchObject([
    { kind: 'invoice-copy', number: 'HST-1' },
  ])
  expect((await ask([])).status).toBe(422)
  expect((await ask(['nobody'])).status).toBe(422)
  expect((await ask(Array.from({ length: 6 }, (_, n) => `n${n}@example.com`))).status).toBe(422)
})

test('an account has at most twenty copies a day, so that they cannot flood strangers', async () => {
  const owner = await makeAccount(pool, { projects: 1, panels: 0, opening: null })
  const helper = await makeAccount(pool, { projects: 1, panels: 0 })
  await portal.share(owner, helper, { billing: 'allowed' })
  const { invoice } = await makeDocuments(pool, owner)
  const url = `${base}/invoices/${invoice}/-actions/requestCopyByEmail`
  const ask = (who: Account, at: number) =>
    portal.as(who).post(url, { data: { emails: [1, 2, 3, 4, 5].map((n) => `copy${at}-${n}@example.com`) } })
  for (const at of [1, 2, 3, 4]) expect((await ask(at % 2 ? owner : helper, at)).status).toBe(200)
  for (const who of [owner, helper]) {
    const refused = await ask(who, 5)
    expect([refused.status, refused.errors[0]?.code]).toEqual([429, 'copies_most'])
  }
  expect(await lettersTo(pool, 'copy4-5@example.com')).toHaveLength(1)
  expect(await lettersTo(pool, 'copy5-1@example.com')).toEqual([])
  expect((await portal.as(ana).get(`${base}/invoices/${invoice}`)).status).toBe(404)
})

test('staff send a document to the addresses of its client, within the same limit', async () => {
  const owner = await makeAccount(pool, { projects: 1, panels: 0, opening: null })
  const { invoice, proforma } = await makeDocuments(pool, owner)
  await pool.kysely
    .updateTable('client_entities')
    .set({ billing_emails: 'books@sent.example' })
    .where('client_id', '=', owner.id)
    .execute()
  const billing = portal.staff(await makeAdmin(pool, 'billing'))
  const send = (who = billing) => who.post(`${base}/invoices/${invoice}/-actions/sendDocument`, { data: {} })
  expect((await send()).json).toEqual({ status: 'queued' })
  const sent = async (to: string) =>
    (await lettersTo(pool, to)).filter(({ kind }) => kind === 'document-sent' || kind === 'invoice-copy')
  const {
    full_number: number,
    total,
    currency,
    issue_date: on,
  } = await pool.kysely
    .selectFrom('invoices')
    .select(['full_number', 'total', 'currency', 'issue_date'])
    .where('id', '=', invoice)
    .executeTakeFirstOrThrow()
  const about = { kind: 'document-sent', what: 'fiscal', number, on, total, currency }
  for (const to of [owner.email, 'books@sent.example'])
    expect(await sent(to)).toMatchObject([{ ...about, open: null }])
  expect((await send(portal.as(owner))).status).toBe(403)
  await pool.kysely
    .updateTable('client_entities')
    .set({ attach_invoices: true })
    .where('client_id', '=', owner.id)
    .execute()
  await pool.kysely
    .updateTable('invoices')
    .set({ pdf_key: 'a', pdf_sha256: 'b' })
    .where('id', '=', invoice)
    .execute()
  expect((await send()).status).toBe(200)
  expect((await sent(owner.email)).at(-1)).toMatchObject({
    attached: { invoiceId: invoice, formats: ['pdf'] },
  })
  await pool.kysely
    .updateTable('invoices')
    .set({ invoice_status_id: 2, paid: '0' })
    .where('id', '=', proforma)
    .execute()
  const other = `${base}/invoices/${proforma}/-actions/sendDocument`
  expect((await billing.post(other, { data: {} })).status).toBe(200)
  expect((await sent(owner.email)).at(-1)).toMatchObject({ what: 'proforma', open: { amount: '60.50' } })
  for (let more = 0; more < 7; more++) expect((await send()).status).toBe(200)
  expect((await send()).faults).toEqual(['429 copies_most'])
  await pool.kysely
    .updateTable('clients')
    .set({ status: 4, closed_at: new Date().toISOString() })
    .where('id', '=', owner.id)
    .execute()
  expect((await send()).faults).toEqual(['409 client_closed'])
})

test('documents cannot be written through the API', async () => {
  const url = `${base}/invoices/${made.invoice}`
  const data = { type: 'invoices', id: String(made.invoice), attributes: { net: 1 } }
  for (const answer of [
    await portal.as(ana).patch(url, { data }),
    await portal.as(ana).delete(url),
    await portal.as(ana).post(`${base}/invoices`, { data: { type: 'invoices', attributes: {} } }),
  ])
    expect([403, 405]).toContain(answer.status)
})

test('a change of a VAT number asks for a check of it', async () => {
  await makeBuyer(pool, ana, { country: 'DE', county: null })
  const { rows } = await sql<{
    id: number
  }>`select id from client_entities where client_id = ${ana.id}`.execute(pool.kysely)
  const change = (attributes: object) =>
    portal.as(ana).patch(`${base}/client-entities/${rows[0]?.id}`, {
      data: { type: 'client-entities', id: String(rows[0]?.id), attributes },
    })
  const jobs = async () => {
    const found = await sql<{
      key: string
    }>`select key from graphile_worker.jobs where task_identifier = 'vat.check'`.execute(pool.kysely)
    return found.rows.map(({ key }) => key)
  }
  expect((await change({ city: 'Bonn' })).status).toBe(200)
  expect(await jobs()).toEqual([])
  expect((await change({ vat_number: 'DE123456788' })).status).toBe(200)
  expect(await jobs()).toEqual([`vat.check:${ana.id}`])
})

/** A German buyer who paid a deposit of 50 with VAT, and the request to reissue its invoice. */
async function taxedDeposit() {
  const hans = await makePayer(portal, '0', { country: 'DE', vatNumber: 'DE123456788' })
  await addCard(portal, hans)
  const paid = await pay(portal.as(hans), { net: 50 })
  const [made] = (await portal.as(hans).get(`${base}/invoices?filter[kind]=fiscal`)).list
  expect(made?.attributes).toMatchObject({ vat_treatment: 'destination', net: 50, vat: 9.5 })
  const url = `${base}/invoices/${made?.id}/-actions/storno`
  const ask = (who: Visitor, reason = 'VAT number confirmed') => keyed(who, url, { reason })
  const refund = (amount: number) =>
    keyed(portal.as(hans), `${base}/transactions/${paid.one.id}/-actions/refund`, {
      reason: 'Not needed',
      amount,
    })
  const billing = portal.staff(await makeAdmin(pool, 'billing'))
  return { hans, ask, refund, billing }
}

/** Sums the VAT of an account's documents and of its ledger. */
async function vatOf({ id }: { id: number }) {
  const { rows } = await sql<{ documents: string; books: string }>`
    select (select sum(vat)::text from invoices where client_id = ${id} and kind <> 'proforma') as documents,
      (select sum(e.amount)::numeric(14, 2)::text from ledger_entries e join ledger_accounts a on a.id = e.account_id
        join ledger_transactions t on t.id = e.transaction_id
        where t.client_id = ${id} and a.kind = 'vat_payable') as books`.execute(pool.kysely)
  return rows[0]
}

test('staff reissue a deposit without VAT when the number turns valid, and everything agrees', async () => {
  const { hans, ask, billing } = await taxedDeposit()
  const support = portal.staff(await makeAdmin(pool, 'support'))
  await support.get(`${base}/desk-clients/${hans.id}`)
  expect([(await ask(portal.as(hans))).status, (await ask(support)).status]).toEqual([403, 403])
  // It stands on the credit note, whose XML knows no such characters.
  for (const [reason, code] of [
    ['a\u0001b', 'characters_unfit'],
    ['a\nb', 'characters_unfit'],
    ['\u200b', 'reason_required'],
  ])
    expect((await ask(billing, reason)).faults).toEqual([`422 ${code} /data/reason`])
  // The office has not said yes yet: there would be the same VAT, and no number is lost.
  expect((await ask(billing)).status).toBe(409)
  await checkedByRecord(pool.kysely, ['DE123456788'])
  const old = portal.staff(await makeAdmin(pool, 'billing'), 'an hour ago')
  expect((await ask(old)).faults).toEqual(['403 recent_sign_in_required'])
  const done = await ask(billing)
  const { credit_note_id, invoice_id, vat } = JSON.parse(done.text)
  expect([done.status, vat]).toEqual([200, 9.5])
  const read = async (id: number) => (await portal.as(hans).get(`${base}/invoices/${id}`)).one.attributes
  expect(await read(credit_note_id)).toMatchObject({ kind: 'credit_note', net: -50, vat: -9.5 })
  expect(await read(invoice_id)).toMatchObject({
    vat_treatment: 'reverse_charge',
    net: 59.5,
    vat: 0,
    status: 'paid',
  })
  const [balance] = (await portal.as(hans).get(`${base}/account-balances`)).list
  expect(balance?.attributes).toMatchObject({ account_balance: 59.5 })
  expect(await vatOf(hans)).toEqual({ documents: '0.00', books: '0.00' })
  expect((await ask(billing)).status).toBe(409)
  expect(await verifyLedger(pool.kysely)).toEqual([])
})

test('a deposit is reissued only while no refund is pending, and then for what is left of it', async () => {
  const { hans, ask, refund, billing } = await taxedDeposit()
  const { refund_id } = JSON.parse((await refund(20)).text)
  await checkedByRecord(pool.kysely, ['DE123456788'])
  const early = await ask(billing)
  expect([early.faults, early.errors[0]?.detail]).toEqual([
    ['409 refund_pending'],
    'A refund of this payment is in progress.',
  ])
  await sendRefund(paymentScope, refund_id)
  expect(JSON.parse((await ask(billing)).text)).toMatchObject({ vat: 5.7 })
  expect(await vatOf(hans)).toEqual({ documents: '0.00', books: '0.00' })
  expect(await verifyLedger(pool.kysely)).toEqual([])
})

test('a refund and a reissue at the same time both finish, and the books agree with the documents', async () => {
  const { hans, ask, refund, billing } = await taxedDeposit()
  await checkedByRecord(pool.kysely, ['DE123456788'])
  const [back, reissued] = await Promise.all([refund(20), ask(billing)])
  // Whichever was first: the money goes back either way, and the invoice waits for that or has none of it in it.
  expect(back.faults).toEqual([])
  expect([200, 409]).toContain(reissued.status)
  await sendRefund(paymentScope, JSON.parse(back.text).refund_id)
  if (reissued.status === 409) expect((await ask(billing)).faults).toEqual([])
  expect(await vatOf(hans)).toEqual({ documents: '0.00', books: '0.00' })
  const { rows } = await sql<{ open: string }>`select sum(net) - (select account_balance from account_balances
    where client_id = ${hans.id}) as open from invoices where client_id = ${hans.id} and kind <> 'proforma'`.execute(
    pool.kysely,
  )
  expect(Number(rows[0]?.open)).toBe(0)
  expect(await verifyLedger(pool.kysely)).toEqual([])
})
