import { base } from '@portico/contract/wire.ts'
import { sql } from 'kysely'
import { closeDueMonth } from '#money/invoices/month/close-run.ts'
import { setOffAllDebts } from '#money/payments/disputes/debts.ts'
import { reconcile } from '#money/payments/reconcile.ts'
import { sendRefund } from '#money/payments/refunds/refunds.ts'
import { chargeDay, rateUsage } from '#usage/charging.ts'
import { feedPlans } from '#usage/plan-feed.ts'
import type { Account } from './account.ts'
import type { Answer } from './answer.ts'
import { keyed, makePayer, pay } from './card.ts'
import { Choices } from './choices.ts'
import { makeBuyer } from './documents.ts'
import { businessTime, used } from './money.ts'
import { billedSums, newestDocument, previewedSums } from './month-vat.ts'
import { makePlans } from './plans.ts'
import type { Visitor } from './portal.ts'
import { camt, importFile } from './statements.ts'
import type { stripePortal } from './stripe-portal.ts'
import { makeAdmin } from './ticket.ts'

/** The actions of clients and staff with money, by name. */
export const moneyVerbs = [
  'deposit',
  'transfer',
  'statement',
  'use',
  'payBill',
  'refund',
  'refundToBank',
  'endTransfer',
  'loseDispute',
  'winDispute',
  'move',
  'proveNumber',
  'goodwill',
  'adjust',
  'manualInvoice',
  'creditNote',
  'writeOff',
  'changePlan',
] as const
export type MoneyVerb = (typeof moneyVerbs)[number]

const buyers = [
  { country: 'RO', company: true },
  { country: 'RO', company: false },
  { country: 'DE', company: false },
  { country: 'DE', company: true, vatNumber: 'DE136695976' },
  { country: 'HU', company: false },
  { country: 'FR', company: false },
  { country: 'US', company: false },
] as const

type Stripe = Awaited<ReturnType<typeof stripePortal>>
type Disputed = { id: string; payment: number }
type Due = { refund: number; payment: number }

const iban = 'RO49 AAAA 1B31 0075 9384 0000'

/** A year of random payments, usage, corrections and moves of some clients, day by day, with its closes. */
export class MoneyYear {
  /** How often each verb was carried out. */
  readonly done = new Map<MoneyVerb, number>()
  readonly #stripe: Stripe
  readonly #choices: Choices
  readonly #clients: Account[] = []
  readonly #lost: Disputed[] = []
  readonly #due: Due[] = []
  #staff: Visitor
  #plans: readonly number[] = []
  #transfers = 0
  #day = ''

  constructor(stripe: Stripe, seed: number) {
    this.#stripe = stripe
    this.#choices = new Choices(seed)
    this.#staff = stripe.portal.nobody
  }

  /** Lives a year from its first day, with so many verbs a client and month. */
  async live(year: number, clients: number, verbs: number): Promise<void> {
    const { portal, addCard, db } = this.#stripe
    await businessTime(portal.pool, `${year}-01-01T06:00:00Z`)
    this.#staff = portal.staff(await makeAdmin(portal.pool, 'admin'))
    this.#plans = Object.values(await makePlans(db, { small: '4.00', middle: '19.99', large: '75.50' }))
    for (let n = 0; n < clients; n++) {
      const client = await makePayer(portal, null, this.#choices.one(buyers))
      await addCard(client)
      this.#clients.push(client)
    }
    for (let month = 0; month < 12; month++) {
      await this.#month(year, month, verbs * clients)
      await reconcile(this.#stripe.paymentScope, (difference) => this.differences.push(difference))
      const next = new Date(Date.UTC(year, month + 1, 1, 2)).toISOString()
      await businessTime(portal.pool, next)
      await this.#chargePlans(db)
      await this.#close(db, next)
    }
  }

  /** What the provider and the ledger did not agree on at the end of a month. */
  readonly differences: string[] = []

  /** What each close was said to bill by rate of VAT, and what it billed. */
  readonly closes: { readonly previewed: unknown; readonly billed: unknown }[] = []

  /** Clients whose VAT due was not that of their open bills after a close, with the moment. */
  readonly vatLeft: string[] = []

  /** Charges the hours of plans until now. */
  async #chargePlans(db: Stripe['db']): Promise<void> {
    await feedPlans(db)
    await rateUsage(db)
    const { rows } = await sql<{ day: string }>`select distinct usage_on as day from usage_client_days
      where due and usage_on < clock_today() order by 1`.execute(db)
    for (const { day } of rows) await chargeDay(db, { day, everyone: true }, async () => undefined)
  }

  async #close(db: Stripe['db'], at: string): Promise<void> {
    const fail = (_: number, error: unknown) => {
      throw error
    }
    await setOffAllDebts({ ...this.#stripe.paymentScope, report: (error) => fail(0, error) })
    const before = await newestDocument(db)
    const previewed = await previewedSums(this.#staff)
    while ((await closeDueMonth(db, fail)).unfinished);
    this.closes.push({ previewed, billed: await billedSums(db, before) })
    // The VAT that a client owes is that of the open parts of their bills. Each open part, and each part that was paid, lost
    // and paid again, may round by a cent; staff are alerted to a cent that is left.
    const { rows } = await sql<{ left: string }>`
      select 'client ' || a.client_id || ' at ' || ${at}::text || ': ' || a.balance || ' and ' || coalesce(o.vat, 0) as left
      from ledger_accounts a left join (
        select i.client_id, count(*) as bills,
          sum(i.vat - round(i.paid * i.vat / nullif(i.total, 0), 2) + coalesce((select sum(n.vat) from invoices n
            where n.corrects_id = i.id), 0)) as vat
        from invoices i where i.kind = 'fiscal' and i.reason in ('service_bill', 'manual') and i.total - i.paid - i.credited > 0
        group by i.client_id) o on o.client_id = a.client_id
      where a.kind = 'client_vat_due' and abs(a.balance + coalesce(o.vat, 0)) > 0.02 * coalesce(o.bills, 0)
        + 0.01 * (select count(*) from dispute_parts d where d.client_id = a.client_id and d.kind = 'bill')`.execute(
      db,
    )
    this.vatLeft.push(...rows.map(({ left }) => left))
  }

  async #month(year: number, month: number, verbs: number): Promise<void> {
    const days = new Date(Date.UTC(year, month + 1, 0)).getUTCDate()
    // The last hours of a month by UTC are in the next one where the operator is.
    const moments = Array.from({ length: verbs - 1 }, () => 1 + this.#choices.part() * (days - 0.1)).sort(
      (a, b) => a - b,
    )
    moments.push(days + 0.95)
    for (const [at, moment] of moments.entries()) {
      const when = new Date(Date.UTC(year, month, 1) + (moment - 1) * 86_400_000)
      await businessTime(this.#stripe.portal.pool, when.toISOString())
      this.#day = when.toISOString().slice(0, 10)
      const verb = moneyVerbs[(at + month * verbs) % moneyVerbs.length] ?? 'deposit'
      const client = this.#choices.one(this.#clients)
      // Half of what happens is paid or used.
      if (client)
        await this.#act(
          this.#choices.below(2) ? (this.#choices.one(['deposit', 'use'] as const) ?? 'use') : verb,
          client,
        )
      if (client) await this.#act(verb, client)
    }
  }

  async #act(verb: MoneyVerb, client: Account): Promise<void> {
    if (await this[`_${verb}`](client)) this.done.set(verb, (this.done.get(verb) ?? 0) + 1)
  }

  /** Whether a request was granted; a refusal is one of the rules, anything else is a mistake. */
  #granted({ status, text }: Answer): boolean {
    if (status >= 500) throw new Error(`The year was interrupted: ${text}`)
    return status < 300
  }

  #as(client: Account): Visitor {
    return this.#stripe.portal.as(client)
  }

  async _deposit(client: Account) {
    return this.#granted(await pay(this.#as(client), { net: 5 + this.#choices.cents(90) }))
  }

  async _transfer(client: Account) {
    const asked = await keyed(this.#as(client), `${base}/invoices/-actions/requestProforma`, {
      net: 10 + this.#choices.cents(50),
    })
    if (!this.#granted(asked)) return false
    const { invoice_id: id, total } = JSON.parse(asked.text)
    return this.#granted(
      await keyed(this.#staff, `${base}/invoices/${id}/-actions/recordBankTransfer`, {
        amount: total,
        received_on: this.#day,
        reference: `OP ${++this.#transfers}`,
      }),
    )
  }

  /** Money by transfer that the statement of the bank tells of. */
  async _statement(client: Account) {
    const asked = await keyed(this.#as(client), `${base}/invoices/-actions/requestProforma`, {
      net: 10 + this.#choices.cents(50),
    })
    if (!this.#granted(asked)) return false
    const { full_number: text, total } = JSON.parse(asked.text)
    const reference = `ST ${++this.#transfers}`
    const amount = Number(total).toFixed(2)
    await importFile(
      this.#staff,
      camt([{ amount, text, reference, day: this.#day, payer: reference, iban: reference }]),
    )
    const done = await this.#staff.post(`${base}/bank-lines/-actions/confirmCertain`, {})
    return this.#granted(done) && JSON.parse(done.text).confirmed === 1
  }

  /** The number of a company turns valid after it has paid with VAT: the deposit is invoiced again without. */
  async _proveNumber(client: Account) {
    const { db, portal } = this.#stripe
    const vatNumber = 'DE136695976'
    await makeBuyer(portal.pool, client, { country: 'DE', vatNumber })
    await sql`delete from vat_checks where client_id = ${client.id}`.execute(db)
    if (!(await this._deposit(client))) return false
    const { rows } = await sql<{ id: number }>`select id from invoices where client_id = ${client.id}
      and kind = 'fiscal' and reason = 'advance' and vat > 0 order by id desc limit 1`.execute(db)
    await sql`insert into vat_checks (client_id, vat_number, status, source, checked_at)
      values (${client.id}, ${vatNumber}, 'valid', 'test', clock_now())`.execute(db)
    const url = `${base}/invoices/${rows[0]?.id ?? 0}/-actions/storno`
    return this.#granted(await keyed(this.#staff, url, { reason: 'The number is valid' }))
  }

  async _use(client: Account) {
    await used(this.#stripe.db, client, [this.#day], (this.#choices.part() * 30).toFixed(5))
    return true
  }

  async #bill({ id }: Account, open: boolean): Promise<number | undefined> {
    const { rows } = await sql<{
      id: number
    }>`select id from invoices where client_id = ${id} and kind = 'fiscal'
      and reason in ('service_bill', 'manual') and total > credited and (${!open} or total > paid + credited)
      order by id desc limit 3`.execute(this.#stripe.db)
    return this.#choices.one(rows)?.id
  }

  async _payBill(client: Account) {
    const bill = await this.#bill(client, true)
    if (bill === undefined) return false
    return this.#granted(await pay(this.#as(client), { purpose: 'service_bill', invoice_id: bill }))
  }

  async #payment({ id }: Account, where = sql`provider = 'stripe' and status = 'succeeded'`) {
    const { rows } = await sql<{ id: number; gross: string; ref: string }>`
      select id, gross, provider_ref as ref from payments where client_id = ${id}
        and ${where} order by id desc limit 3`.execute(this.#stripe.db)
    return this.#choices.one(rows)
  }

  async _refund(client: Account) {
    const payment = await this.#payment(client)
    if (!payment) return false
    const asked = await keyed(this.#staff, `${base}/transactions/${payment.id}/-actions/refund`, {
      reason: 'Paid by mistake',
      ...(this.#choices.below(2) && { amount: this.#choices.cents(10) }),
    })
    if (!this.#granted(asked)) return false
    await sendRefund(this.#stripe.paymentScope, JSON.parse(asked.text).refund_id)
    return true
  }

  /** A refund that staff should send to a bank account: sent at once, or later. */
  async _refundToBank(client: Account) {
    const payment = await this.#payment(client, sql`status in ('succeeded', 'partially_refunded')`)
    if (!payment) return false
    const asked = await keyed(this.#staff, `${base}/transactions/${payment.id}/-actions/refund`, {
      reason: 'The card is gone',
      iban,
      ...(this.#choices.below(2) && { amount: this.#choices.cents(20) }),
    })
    if (!this.#granted(asked)) return false
    this.#due.push({ refund: JSON.parse(asked.text).refund_id, payment: payment.id })
    if (this.#choices.below(2)) await this._endTransfer()
    return true
  }

  /** Staff send the newest transfer that is due, or give it up. */
  async _endTransfer() {
    const due = this.#due.pop()
    if (!due) return false
    const [verb, more] = this.#choices.below(4)
      ? (['recordSentTransfer', { sent_on: this.#day, reference: `OUT ${due.refund}` }] as const)
      : (['dropTransfer', {}] as const)
    const url = `${base}/transactions/${due.payment}/-actions/${verb}`
    return this.#granted(await keyed(this.#staff, url, { refund_id: due.refund, ...more }))
  }

  /** The provider says what became of a dispute. */
  async #told({ id }: Disputed, status: 'lost' | 'won', fee: number): Promise<void> {
    const { stripe, deliver, workOff } = this.#stripe
    Object.assign(stripe.things.get(id) ?? {}, {
      status,
      balance_transactions: [{ object: 'balance_transaction', fee, currency: 'eur' }],
    })
    await deliver(stripe.event('charge.dispute.updated', { id }))
    await workOff()
  }

  /** Also of a payment that was refunded. */
  async _loseDispute(client: Account) {
    const payment = await this.#payment(
      client,
      sql`provider = 'stripe' and status in ('succeeded', 'partially_refunded', 'refunded')
        and not exists (select from payment_disputes d where d.payment_id = payments.id and d.status = 'lost')`,
    )
    if (!payment) return false
    const cents = Number(payment.gross.replace('.', ''))
    const thing = {
      id: `dp_${payment.id}`,
      object: 'dispute',
      payment_intent: payment.ref,
      currency: 'usd',
      // Sometimes the bank takes back a part.
      amount: this.#choices.below(3) ? cents : 1 + this.#choices.below(cents),
    }
    this.#stripe.stripe.things.set(thing.id, thing)
    const lost = { id: thing.id, payment: payment.id }
    await this.#told(lost, 'lost', 1500)
    this.#lost.push(lost)
    return true
  }

  async _winDispute() {
    const lost = this.#lost.pop()
    if (lost) await this.#told(lost, 'won', 0)
    return lost !== undefined
  }

  async _move(client: Account) {
    const buyer = this.#choices.one(buyers)
    await makeBuyer(this.#stripe.portal.pool, client, buyer)
    if (buyer && 'vatNumber' in buyer)
      await sql`insert into vat_checks (client_id, vat_number, status, source, checked_at)
        values (${client.id}, ${buyer.vatNumber}, 'valid', 'test', clock_now())`.execute(this.#stripe.db)
    return true
  }

  async _goodwill({ id }: Account) {
    return this.#granted(
      await keyed(this.#staff, `${base}/desk-clients/${id}/-actions/goodwill`, {
        amount: this.#choices.cents(5),
      }),
    )
  }

  async _adjust({ id }: Account) {
    const direction = this.#choices.one(['up', 'down'])
    const input = { amount: this.#choices.cents(5), direction }
    return this.#granted(await keyed(this.#staff, `${base}/desk-clients/${id}/-actions/adjust`, input))
  }

  async _manualInvoice({ id }: Account) {
    const line = {
      description_en: 'Set-up',
      quantity: 1 + this.#choices.below(3),
      unit_price: this.#choices.cents(20),
    }
    return this.#granted(
      await keyed(this.#staff, `${base}/desk-clients/${id}/-actions/manualInvoice`, { lines: [line] }),
    )
  }

  async _creditNote(client: Account) {
    const bill = await this.#bill(client, false)
    if (bill === undefined) return false
    const input = {
      reason: 'Wrong price',
      ...(this.#choices.below(2) && { net: this.#choices.cents(3) }),
      ...(this.#choices.below(2) && { to: 'bank', iban }),
    }
    const done = await keyed(this.#staff, `${base}/invoices/${bill}/-actions/creditNote`, input)
    if (!this.#granted(done)) return false
    const { refund_id: refund } = JSON.parse(done.text)
    if (refund === null) return true
    const { rows } = await sql<Due>`select id as refund, payment_id as payment from payment_refunds
      where id = ${refund}`.execute(this.#stripe.db)
    this.#due.push(...rows)
    return true
  }

  /** Gives up a bill of the client, or what the client owes because money went back twice. */
  async _writeOff(client: Account) {
    const debt = await this.#payment(
      client,
      sql`exists (select from payment_debts d where d.payment_id = payments.id and d.ended_at is null
        and d.set_off + d.written_off < d.amount)`,
    )
    if (debt && this.#choices.below(2))
      return this.#granted(
        await keyed(this.#staff, `${base}/transactions/${debt.id}/-actions/writeOffDebt`, {}),
      )
    const bill = await this.#bill(client, true)
    if (bill === undefined) return false
    return this.#granted(await keyed(this.#staff, `${base}/invoices/${bill}/-actions/writeOff`, {}))
  }

  /** The panel gets its first plan or another one, as when its engine has carried a change out. */
  async _changePlan({ panels }: Account) {
    await sql`update panels set status = 'active', plan_id = ${this.#choices.one(this.#plans)} where id = ${panels[0]}`.execute(
      this.#stripe.db,
    )
    return true
  }
}
