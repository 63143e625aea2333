import { randomUUID } from 'node:crypto'
import { deskPlans } from '@portico/contract/resources/desk-plans.ts'
import { dayMs } from '@portico/contract/time.ts'
import { base } from '@portico/contract/wire.ts'
import { sql } from 'kysely'
import { closeMonth } from '#money/invoices/month/close.ts'
import { notify } from '#notifications/notifications.ts'
import { queueMail } from '#notifications/queue-letter.ts'
import { makeAccount } from './account.ts'
import { addCard, keyed, makePayer, pay } from './card.ts'
import { makeBuyer, makeDocuments, makeOperator, newSeries } from './documents.ts'
import { testVault } from './mail.ts'
import type { World } from './matrix.ts'
import { businessTime, movedBalance, used } from './money.ts'
import { letSignIn, person } from './people.ts'
import { planDetails } from './plans.ts'
import { pngOf } from './png.ts'
import type { TestPortal, Visitor } from './portal.ts'
import { type Member, makeMember } from './staff.ts'
import { camt } from './statements.ts'
import { makeTicket } from './ticket.ts'
import { usageEvent } from './usage.ts'

// What a verb of staff needs to succeed, besides the rows and the input of the permission matrix.

type Tools = {
  readonly portal: TestPortal
  readonly world: World
  /** The administrator who asks, with an account of their own. */
  readonly me: Member
  /** Another administrator than the one who is asked about. */
  readonly other: Visitor
}
/** The row and the input of a verb, where they are not those of the matrix. */
export type Wish = { readonly id?: number | string | undefined; readonly input?: object }
type Step = (tools: Tools) => Promise<Wish> | Wish

export const act = async (
  who: Visitor,
  path: string,
  data: object = {},
): Promise<Record<string, unknown>> => {
  const { status, text, json } = await keyed(who, `${base}/${path}`, { data })
  if (status >= 300) throw new Error(`${path}: ${text}`)
  return Object(json)
}
const change =
  (statement: (world: World, me: Member) => ReturnType<typeof sql>, wish: Wish = {}): Step =>
  async ({ portal, world, me }) => {
    await statement(world, me).execute(portal.pool.kysely)
    return wish
  }
const stopped: Step = async ({ other, world: { owner, ids } }) => {
  await act(other, `desk-clients/${owner.id}/-actions/suspendPanel`, { panel_id: ids.panels, kind: 'abuse' })
  return { input: { panel_id: ids.panels } }
}

/** An operator in October with series of its own, because the numbers of a series do not go back in time. */
async function openMonth({ pool }: TestPortal): Promise<void> {
  await makeOperator(pool)
  await sql`update operator_profile set base_currency = 'USD'`.execute(pool.kysely)
  await newSeries(pool)
  await businessTime(pool, '2026-10-06T10:00:00Z')
}

/** A client with a month's bill, which is open. */
async function makeBill({ portal }: Tools) {
  const { pool } = portal
  await openMonth(portal)
  const payer = await makePayer(portal)
  await used(pool.kysely, payer, ['2026-10-05'], '30')
  await businessTime(pool, '2026-11-02T10:00:00Z')
  const month = { from: '2026-10-01', until: '2026-11-01' }
  const bill = await pool.kysely.transaction().execute((tx) => closeMonth(tx, payer.id, month))
  return { payer, bill: bill?.id ?? 0 }
}
const transfer = { amount: 36.3, received_on: '2026-11-01', reference: 'OP 7' }

/** A refund by transfer that waits to be sent. */
async function makeTransferDue(tools: Tools) {
  const { bill, payer } = await makeBill(tools)
  await act(tools.other, `invoices/${bill}/-actions/recordBankTransfer`, transfer)
  const { refund_id } = await act(tools.other, `invoices/${bill}/-actions/creditNote`, {
    reason: 'Wrong hours',
    to: 'bank',
    iban: 'RO49 AAAA 1B31 0075 9384 0000',
  })
  const { list } = await tools.other.get(`${base}/transactions?filter[client_id]=${payer.id}`)
  return { id: list[0]?.id, refund_id }
}

async function makeTransferByHand({ portal, other }: Tools) {
  await makeOperator(portal.pool)
  const { id } = await makePayer(portal)
  const { invoice_id } = await act(other, 'invoices/-actions/requestProforma', { client_id: id, net: 50 })
  const { transaction_id } = await act(other, `invoices/${invoice_id}/-actions/recordBankTransfer`, {
    ...transfer,
    reference: `By hand ${id}`,
  })
  return Number(transaction_id)
}

const planFile = async ({ other }: Tools) => {
  const file = JSON.parse(Object((await other.get(`${base}/desk-plans/-actions/file`)).json).text)
  const [first, ...rest] = file.plans
  const text = JSON.stringify({ ...file, plans: [{ ...first, position: 77 }, ...rest] })
  const { state } = await act(other, 'desk-plans/-actions/previewPlans', { text })
  return { text, state }
}

/** A plan with a price in the list that each has. */
async function pricedPlan({ other }: Tools) {
  const { json } = await other.get(`${base}/desk-plans/-actions/draft`)
  const { lists } = deskPlans.actions.draft.output.parse(json)
  const required = lists.filter((list) => list.required)
  return { ...planDetails, fees: required.map(({ code }) => ({ list: code, monthly: '5' })) }
}

async function letterOf({ portal }: Tools): Promise<number> {
  const letter = { kind: 'account-unblocked', name: 'Ana' } as const
  const db = portal.pool.kysely
  const { email: to } = await person(portal.pool, `${randomUUID()}@example.com`)
  await queueMail({ tx: db, vault: testVault }, { to, language: 'en', letter })
  const { rows } = await sql<{ id: number }>`update outbox_letters set sent_at = now()
    where recipient = ${to} returning id`.execute(db)
  return rows[0]?.id ?? 0
}

/** A line that may be the money of another one. */
const doubtful: Step = async ({ portal, world: { ids } }) => {
  const id = ids['bank-lines']
  await sql`with o as (insert into bank_lines (statement_id, iban, reference, booked_on, amount, currency, text, is_reversal)
      select statement_id, iban, reference || ' other', booked_on, amount, currency, text, is_reversal from bank_lines
      where id = ${id} returning id)
    update bank_lines set state = 'doubtful', same_as = (select id from o) where id = ${id}`.execute(
    portal.pool.kysely,
  )
  return {}
}

/** By type and verb. */
export const steps: Readonly<Record<string, Step>> = {
  'brands setLogo()': () => ({
    input: { filename: 'logo.png', content: pngOf(64, 32).toString('base64') },
  }),
  'bank-statements sameAll()': doubtful,
  'bank-lines sameMoney()': doubtful,
  'bank-lines otherMoney()': doubtful,
  'bank-lines undoMatch()': async ({ other, world: { ids, owner } }) => {
    await act(other, `bank-lines/${ids['bank-lines']}/-actions/matchLine`, { client_id: owner.id })
    return {}
  },
  'bank-statements importStatement()': () => ({
    input: {
      filename: 'a.xml',
      content: Buffer.from(camt([{ amount: '12.00', text: 'Walk' }])).toString('base64'),
    },
  }),
  'desk-engines edit()': change(
    // A disabled engine is not asked at its new address.
    ({ ids }) => sql`update panel_engines set kind = 'http', base_url = 'https://engine.example',
      disabled_at = now() where id = ${ids['desk-engines']}`,
    { input: { name: 'Walk', url: 'https://engine2.example' } },
  ),
  'desk-engines enable()': change(
    ({ ids }) => sql`update panel_engines set disabled_at = now() where id = ${ids['desk-engines']}`,
    { input: {} },
  ),
  'desk-engines release()': change(
    ({ ids }) => sql`update panel_engines set capabilities = capabilities || '{"list": true, "adopt": true}'
      where id = ${ids['desk-engines']}`,
  ),
  'desk-engines takeAgain()': async ({ portal, world: { ids } }) => {
    const { pool } = portal
    const [engine, panel] = [ids['desk-engines'], Number(ids.panels)]
    await businessTime(pool, '2026-03-11T12:00:00Z')
    await sql`update panels set panel_engine_id = ${engine} where id = ${panel}`.execute(pool.kysely)
    const event = usageEvent(panel)
    await sql`insert into usage_rejections (panel_engine_id, event_id, code, event)
      values (${engine}, ${event.id}, 'unknown_panel', ${JSON.stringify(event)})`.execute(pool.kysely)
    return {}
  },
  'desk-plans previewPlans()': async (tools) => ({ input: { text: (await planFile(tools)).text } }),
  'desk-plans publishPlans()': async (tools) => ({ input: await planFile(tools) }),
  'desk-plans addDraft()': async (tools) => ({ input: { ...(await pricedPlan(tools)), code: 'walk' } }),
  'desk-plans editDraft()': async (tools) => {
    const input = await pricedPlan(tools)
    const { id } = await act(tools.other, 'desk-plans/-actions/addDraft', { ...input, code: 'walk-draft' })
    return { id: Number(id), input: { ...input, name_en: 'Walked' } }
  },
  'desk-plans deleteDraft()': async (tools) => {
    const input = { ...(await pricedPlan(tools)), code: 'walk-deleted' }
    return { id: Number((await act(tools.other, 'desk-plans/-actions/addDraft', input)).id) }
  },
  'desk-clients resumePanel()': stopped,
  'desk-clients retryPanel()': change(
    ({ ids }) => sql`update panels set status = 'error', failed_step = 'provision' where id = ${ids.panels}`,
  ),
  'desk-clients unblock()': async ({ other, world: { owner } }) => {
    await act(other, `desk-clients/${owner.id}/-actions/block`)
    return {}
  },
  'desk-clients seeAsClient()': async ({ portal: { pool }, world: { owner } }) => {
    await letSignIn(pool, owner)
    await sql`update access_policies set views_without_consent = true`.execute(pool.kysely)
    return {}
  },
  'desk-clients closeAccount()': async ({ portal }) => ({
    id: (await makeAccount(portal.pool, { projects: 1, panels: 0, opening: null })).id,
  }),
  'desk-clients endSessions()': async ({ portal }) => ({
    id: (await person(portal.pool, `${randomUUID()}@example.com`)).id,
  }),
  'desk-clients resendConfirmation()': async ({ portal }) => ({
    id: (await person(portal.pool, `${randomUUID()}@example.com`, { verified: false })).id,
  }),
  'desk-clients confirmEmail()': async ({ portal }) => ({
    id: (await person(portal.pool, `${randomUUID()}@example.com`, { verified: false })).id,
  }),
  'desk-clients assignPlan()': async ({ portal, world: { ids } }) => {
    await sql`update panel_engines set capabilities = capabilities || '{"change_plan": true}'`.execute(
      portal.pool.kysely,
    )
    const from = new Date(Date.now() + 40 * dayMs).toISOString().slice(0, 10)
    const expects = { monthly: 8, currency: 'USD' }
    return { input: { panel_id: ids.panels, plan: 'web-3', from, expects } }
  },
  'desk-clients chargeOpenBill()': async ({ portal }) => {
    await openMonth(portal)
    const payer = await makePayer(portal)
    await used(portal.pool.kysely, payer, ['2026-10-05'], '30')
    return { id: payer.id }
  },
  'desk-clients remind()': async ({ portal, world: { owner } }) => {
    await movedBalance(portal.pool, owner.id, '-500', '2026-01-05')
    return {}
  },
  'desk-letters retry()': change(
    ({ ids }) => sql`update outbox_letters set failed_at = now(), attempts = 10, sealed = '\\x00'
      where id = ${ids['desk-letters']}`,
  ),
  'desk-letters resend()': async (tools) => ({ id: await letterOf(tools) }),
  'desk-staff invite()': () => ({
    input: { email: 'walk@example.com', display_name: 'New', role: 'support', language: 'en' },
  }),
  'desk-requests ask()': ({ world: { owner } }) => ({
    input: { verb: 'block', ref: String(owner.id), input: {} },
  }),
  'desk-requests preview()': ({ world: { owner } }) => ({
    input: { verb: 'goodwill', ref: String(owner.id), input: { amount: 1 } },
  }),
  'desk-requests withdraw()': async ({ portal, me, world: { owner } }) => {
    const asked = { verb: 'block', ref: String(owner.id), input: {} }
    const { request_id } = await act(portal.staff(me.admin), 'desk-requests/-actions/ask', asked)
    return { id: String(request_id) }
  },
  'e-invoices correctInstead()': change(
    ({ ids }) => sql`update e_invoices set problem = 'refused' where id = ${ids['e-invoices']}`,
  ),
  'desk-departments reopen()': change(
    ({ ids }) => sql`update ticket_departments set closed_at = now() where id = ${ids['desk-departments']}`,
  ),
  'desk-staff enable()': async ({ portal }) => {
    const { admin } = await makeMember(portal.pool, 'support')
    await sql`update admins set disabled_at = now() where id = ${admin}`.execute(portal.pool.kysely)
    return { id: admin, input: {} }
  },
  'desk-staff endSessions()': async ({ portal }) => ({
    id: (await makeMember(portal.pool, 'support')).admin,
  }),
  'desk-staff resetFactors()': async ({ portal }) => ({ id: await withFactor(portal, 'support') }),
  'desk-staff setRole()': async ({ portal }) => ({
    id: (await makeMember(portal.pool, 'support')).admin,
    input: { role: 'billing' },
  }),
  'desk-views delete': async ({ portal, me }) => {
    const attributes = { name: 'Mine', filter: { trial: 'true' } }
    const data = { type: 'desk-views', attributes }
    return { id: (await portal.staff(me.admin).post(`${base}/desk-views`, { data })).one.id }
  },
  'notifications update': async ({ portal, me }) => {
    const { pool } = portal
    await notify(pool.kysely, me.client, { kind: 'ticket_opened', about: 1, params: { subject: 'Down' } })
    const { rows } = await sql<{
      id: number
    }>`select id from notifications where client_id = ${me.client}`.execute(pool.kysely)
    const id = rows[0]?.id
    return { id, input: { type: 'notifications', id: String(id), attributes: { read: true } } }
  },
  'panels connect()': change(
    ({ ids, owner }, { admin }) => sql`with mine as (
      update tickets set assigned_admin_id = ${admin} where id = ${ids.tickets})
      insert into staff_accesses (ticket_id, admin_id, granted_by_client_id, granted_at, until)
      values (${ids.tickets}, ${admin}, ${owner.id}, now(), now() + interval '1 hour')`,
  ),
  'staff-preferences update': ({ me }) => ({
    id: me.admin,
    input: {
      type: 'staff-preferences',
      id: String(me.admin),
      attributes: { followed: { technical: 'mine' } },
    },
  }),
  'ticket-files delete': async ({ portal, me }) => {
    const { rows } = await sql<{
      id: number
    }>`insert into ticket_files (uploaded_by_admin_id, filename, mime, size,
      sha256, storage_key, scan_status) values (${me.admin}, 'log.txt', 'text/plain', 12, '\\x00',
      gen_random_uuid()::text, 'clean') returning id`.execute(portal.pool.kysely)
    return { id: rows[0]?.id }
  },
  'document-archives create': change(
    ({ owner }) => sql`update invoices set pdf_key = 'walk-' || id, pdf_sha256 = '\\x00'
      where client_id = ${owner.id} and kind <> 'proforma'`,
  ),
  'invoices recordBankTransfer()': async (tools) => ({ id: (await makeBill(tools)).bill, input: transfer }),
  'invoices cancelProforma()': async ({ portal, other }) => {
    await makeOperator(portal.pool)
    const { id } = await makePayer(portal)
    const { invoice_id } = await act(other, 'invoices/-actions/requestProforma', { client_id: id, net: 50 })
    return { id: Number(invoice_id) }
  },
  'invoices creditNote()': async (tools) => ({ id: (await makeBill(tools)).bill }),
  'invoices writeOff()': async (tools) => ({ id: (await makeBill(tools)).bill }),
  'invoices storno()': async ({ portal, world: { owner } }) => {
    const { invoice } = await makeDocuments(portal.pool, owner)
    await makeBuyer(portal.pool, owner, { city: 'Turda' })
    return { id: invoice }
  },
  'invoices remakeEInvoice()': async ({ portal: { pool }, world: { owner } }) => {
    const { invoice } = await makeDocuments(pool, owner)
    // One that violated a rule of its day.
    await sql`update invoices set pdf_key = 'walk-' || id, pdf_sha256 = '\\x00' where id = ${invoice}`.execute(
      pool.kysely,
    )
    return { id: invoice }
  },
  'month-closes retryClose()': async (tools) => {
    const { portal } = tools
    await openMonth(portal)
    const payer = await makePayer(portal)
    await used(portal.pool.kysely, payer, ['2026-10-05'], '30')
    await businessTime(portal.pool, '2026-11-02T10:00:00Z')
    return { input: { client_id: payer.id } }
  },
  'staff-alerts resolve()': () => ({ input: { reason: 'It was a test' } }),
  'tickets reopen()': async ({ other, world: { ids } }) => {
    await act(other, `tickets/${ids.tickets}/-actions/resolve`)
    return {}
  },
  'tickets setPriority()': () => ({ input: { priority: 4 } }),
  'tickets merge()': async ({ portal, world: { owner } }) => ({
    input: { into_id: (await makeTicket(portal.pool, { client: owner.id })).ticket },
  }),
  'transactions recordSentTransfer()': async (tools) => {
    const { id, refund_id } = await makeTransferDue(tools)
    return { id, input: { refund_id, sent_on: '2026-11-02', reference: 'OP 8' } }
  },
  'transactions dropTransfer()': async (tools) => {
    const { id, refund_id } = await makeTransferDue(tools)
    return { id, input: { refund_id } }
  },
  'transactions undoTransfer()': async (tools) => ({ id: await makeTransferByHand(tools) }),
  'transactions writeOffDebt()': async ({ portal, world: { ids, owner } }) => {
    const { rows } = await sql<{ id: number }>`with refund as (insert into payment_refunds
        (payment_id, client_id, net, vat, gross, reason, status)
        values (${ids.transactions}, ${owner.id}, 5, 0, 5, 'Leaves', 'succeeded') returning id)
      insert into payment_debts (client_id, payment_id, refund_id, amount)
      select ${owner.id}, ${ids.transactions}, id, 5 from refund returning payment_id as id`.execute(
      portal.pool.kysely,
    )
    return { id: rows[0]?.id }
  },
  'transactions refund()': async ({ portal }) => {
    await makeOperator(portal.pool)
    const payer = await makePayer(portal)
    const paid = await pay(portal.as(payer), { net: 50 }, { card: await addCard(portal, payer) })
    return { id: paid.one.id }
  },
}

/** The row of a member of staff with two-factor authentication. */
async function withFactor(portal: TestPortal, role: 'support' | 'admin'): Promise<number> {
  const { admin } = await makeMember(portal.pool, role)
  await sql`insert into auth_totp (account_id, secret_sealed, enabled_at)
    select auth_id, '\\x00', now() from admins where id = ${admin}`.execute(portal.pool.kysely)
  return admin
}

/** A verb that a second person approves: the row and the input that is asked for. */
export const second: Readonly<Record<string, Step>> = {
  'desk-clients terminatePanel()': async (tools) => {
    await stopped(tools)
    const { portal, world } = tools
    const { name } = await portal.pool.kysely
      .selectFrom('panels')
      .select('name')
      .where('id', '=', Number(world.ids.panels))
      .executeTakeFirstOrThrow()
    return { input: { panel_id: world.ids.panels, name } }
  },
  'desk-clients terminateClient()': async ({ other, portal, world: { owner } }) => {
    await act(other, `desk-clients/${owner.id}/-actions/suspendClient`, { kind: 'abuse' })
    const { email } = await portal.pool.kysely
      .selectFrom('clients')
      .select('email')
      .where('id', '=', owner.id)
      .executeTakeFirstOrThrow()
    return { input: { email } }
  },
  'desk-clients resetSecondFactor()': async ({ portal }) => {
    const { id, accountId } = await person(portal.pool, `${randomUUID()}@example.com`)
    await sql`insert into auth_totp (account_id, secret_sealed, enabled_at) values (${accountId}, '\\x00', now())`.execute(
      portal.pool.kysely,
    )
    return { id, input: {} }
  },
  'desk-clients erase()': async ({ portal }) => {
    const { id, email } = await makeAccount(portal.pool, { projects: 1, panels: 0, opening: null })
    await sql`update clients set status = 4, closed_at = now() where id = ${id}`.execute(portal.pool.kysely)
    return { id, input: { email } }
  },
  'desk-clients changeEmail()': async ({ portal }) => ({
    id: (await person(portal.pool, `${randomUUID()}@example.com`)).id,
    input: { email: `${randomUUID()}@example.com` },
  }),
  'desk-limits setLimits()': () => ({ input: { per_action: 20, per_day: 60 } }),
  'desk-staff resetFactors()': async ({ portal }) => ({
    id: await withFactor(portal, 'admin'),
    input: {},
  }),
  'desk-staff inviteAdmin()': () => ({
    input: { email: 'walk@example.com', display_name: 'New', language: 'en' },
  }),
  'desk-staff setRole()': async ({ portal }) => ({
    id: (await makeMember(portal.pool, 'support')).admin,
    input: { role: 'admin' },
  }),
}

/** Verbs that do not succeed here, by what they would need; tests of their own ask for them. */
export const outside: Readonly<Record<string, string>> = {
  'operator-settings sendTest()': 'a mail server',
  'desk-engines accounts()': 'an engine that lists its accounts',
  'desk-engines takeOver()': 'an engine that lists its accounts',
  'desk-disputes answerDispute()': 'a provider that takes evidence',
  'e-invoices wasReceived()': 'an upload without an answer of the tax office',
  'e-invoices wasNotReceived()': 'an upload without an answer of the tax office',
  'tax-offices authorise()': 'the keys of an application at the tax office',
  'tax-offices connect()': 'a consent at the tax office',
  'tax-offices switchOn()': 'a consent at the tax office',
}
