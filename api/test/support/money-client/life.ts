import { base } from '@portico/contract/wire.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Account } from '#test/support/account.ts'
import type { Answer } from '#test/support/answer.ts'
import { keyed, makePayer } from '#test/support/card.ts'
import { Choices } from '#test/support/choices.ts'
import { makeBuyer, newSeries } from '#test/support/documents.ts'
import { businessTime } from '#test/support/money.ts'
import type { Visitor } from '#test/support/portal.ts'
import type { stripePortal } from '#test/support/stripe-portal.ts'
import { makeAdmin } from '#test/support/ticket.ts'

export type Stripe = Awaited<ReturnType<typeof stripePortal>>
export type Bill = { id: number; total: number; due: number; lost: number }
export type Paid = { id: number; ref: string; gross: number; provider: string }
export type Dispute = { id: string; payment: number; cents: number; status: string }

type Parts = { stripe: Stripe; client: Account; staff: Visitor; seed: number }

/** An account that refunds may go to. */
export const iban = 'RO49 AAAA 1B31 0075 9384 0000'

/** A client with a card, and what has happened to their money. */
export class Life {
  /** The verbs that were granted. */
  readonly done: string[] = []
  /** What happened, with the answers. */
  readonly log: string[] = []
  readonly portal: Stripe
  readonly client: Account
  readonly staff: Visitor
  readonly choices: Choices
  readonly disputes: Dispute[] = []
  /** Payments that wait for the person. */
  readonly begun: { id: number; ref: string }[] = []
  /** The card whose bank asks the person each time. */
  askingCard: number | undefined
  months = 0
  day = '2026-10-03'
  #references = 0

  private constructor({ stripe, client, staff, seed }: Parts) {
    this.portal = stripe
    this.client = client
    this.staff = staff
    this.choices = new Choices(seed)
  }

  static async begin(stripe: Stripe, seed: number): Promise<Life> {
    const { pool } = stripe.portal
    await businessTime(pool, '2026-10-03T10:00:00Z')
    // The documents of another life are later than now.
    await newSeries(pool)
    const client = await makePayer(stripe.portal)
    await makeBuyer(pool, client, { country: 'RO' })
    await stripe.addCard(client)
    return new Life({ stripe, client, staff: stripe.portal.staff(await makeAdmin(pool, 'admin')), seed })
  }

  get own(): Visitor {
    return this.portal.portal.as(this.client)
  }

  /** Staff post an action. */
  act(path: string, input: object = {}): Promise<Answer> {
    return keyed(this.staff, `${base}/${path}`, input)
  }

  /** Whether a request was granted; a refusal is one of the rules, anything else is a mistake. */
  granted(what: string, { status, text }: Answer): boolean {
    this.log.push(`${what}: ${status} ${text.slice(0, 160)}`)
    if (status >= 500) throw new Error(`${what} failed.`)
    return status < 300
  }

  async rows<T>(query: RawBuilder<T>): Promise<T[]> {
    return (await query.execute(this.portal.db)).rows
  }

  /** One of the last bills and invoices. */
  async bill(): Promise<Bill | undefined> {
    const bills = await this.rows(
      sql<Bill>`select id, total::float, (total - credited - paid)::float as due, written_off::float as lost from invoices
        where client_id = ${this.client.id} and kind = 'fiscal' and reason in ('service_bill', 'manual') and total > 0
        order by id desc limit 3`,
    )
    return this.choices.one(bills)
  }

  /** One of the last payments. */
  async payment(where = sql`true`): Promise<Paid | undefined> {
    const payments = await this.rows(
      sql<Paid>`select id, provider_ref as ref, gross::float, provider from payments
        where client_id = ${this.client.id} and settled_at is not null and ${where} order by id desc limit 4`,
    )
    return this.choices.one(payments)
  }

  /** Stripe tells about an object that has changed. */
  async told(type: string, id: string, object: string): Promise<void> {
    const { stripe, deliver, workOff } = this.portal
    await deliver(stripe.event(type, { id, object }))
    await workOff()
  }

  /** A reference of a bank that no other line has. */
  reference(prefix: string): string {
    return `${prefix} ${this.client.id} ${++this.#references}`
  }
}
