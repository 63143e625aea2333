import { type SqlBool, sql } from 'kysely'
import { enableRule } from '#money/payments/automatic/rule-verbs.ts'
import { openSetup, readSetup } from '#money/payments/cards/setup-intents.ts'
import { paymentRow } from '#money/payments/payment-rows.ts'
import type { PaymentScope } from '#money/payments/payment-scope.ts'
import { advancePayment } from '#money/payments/payments.ts'
import type { SandboxProvider } from '#money/payments/providers/sandbox/sandbox-provider.ts'
import { sendRefund } from '#money/payments/refunds/refunds.ts'
import { requestRefund } from '#money/payments/refunds/request-refund.ts'
import { newPayment } from '#money/payments/start-payment.ts'
import type { Context } from '#platform/context.ts'
import { columns } from '#platform/db/columns.ts'

type Card = { readonly number: string; readonly months: number }

/** The test cards by person, with the months until their expiry. */
const cards: Readonly<Record<string, readonly Card[]>> = {
  'ana@demo.test': [
    { number: '4242424242424242', months: 31 },
    { number: '4000002500003155', months: 1 },
  ],
  // It can be added, but every charge is declined.
  'ioana@demo.test': [{ number: '4000000000000341', months: 17 }],
}

const consent =
  'When my balance falls below the threshold, the portal charges my card with the recharge amount and VAT on top.'

type Person = { readonly id: number; readonly email: string }

/** Adds a card by the same steps as a person: a setup intent, the form, the challenge, and the result. */
async function addCard(
  paymentScope: PaymentScope,
  sandbox: SandboxProvider,
  { id }: Person,
  card: Card,
): Promise<void> {
  const { setup, end } = await paymentScope.within(async (tx) => ({
    setup: await tx
      .insertInto('setup_intents')
      .values({ client_id: id, requested_by: id })
      .returning(columns.setup_intents)
      .executeTakeFirstOrThrow(),
    end: (
      await sql<{
        month: number
        year: number
      }>`select extract(month from day)::int as month, extract(year from day)::int as year
        from (select clock_today() + make_interval(months => ${card.months}) as day) d`.execute(tx)
    ).rows[0],
  }))
  const { ref, clientSecret } = await openSetup(paymentScope, setup)
  const entered = { clientSecret: clientSecret ?? '', number: card.number }
  await sandbox.enterCard(ref, { ...entered, expMonth: end?.month ?? 1, expYear: end?.year ?? 2040 })
  await sandbox.answerChallenge(ref, true)
  await readSetup(paymentScope, sandbox.id, ref)
}

// The actor for a verb: the account's owner.
const actorOf = ({ id }: Pick<Person, 'id'>) => ({ id, owners: () => [id] }) as unknown as Context['actor']

/** Enables automatic billing below 15, 50 at a time. */
async function automate(paymentScope: PaymentScope, person: Person): Promise<void> {
  await paymentScope.within(async (tx) => {
    const row = await tx
      .insertInto('automated_billing_rules')
      .values(({ selectFrom }) => ({
        client_id: person.id,
        threshold_amount: '15',
        recharge_amount: '50',
        card_id: selectFrom('cards')
          .select('id')
          .where('client_id', '=', person.id)
          .where('is_default', '=', true),
      }))
      .returning(columns.automated_billing_rules)
      .executeTakeFirstOrThrow()
    const context = { tx, actor: actorOf(person), ip: null } as unknown as Context // The verb uses only these members.
    await enableRule(context, { row, input: { consent } })
  })
}

/** Attempts a deposit with the default card; returns the payment. */
export async function payByCard(
  paymentScope: PaymentScope,
  person: Pick<Person, 'id'>,
  net: number,
): Promise<number> {
  const { id } = await paymentScope.within(async (tx) => {
    const wish = { tx, actor: actorOf(person), related: {}, sent: { purpose: 'deposit', net } }
    return tx
      .insertInto('payments')
      .values({ ...(await newPayment(wish)), purpose: 'deposit' })
      .returning('id')
      .executeTakeFirstOrThrow()
  })
  await advancePayment(paymentScope, id)
  return id
}

/** Refunds a whole deposit as its owner. */
export async function refundDeposit(
  paymentScope: PaymentScope,
  person: Pick<Person, 'id'>,
  paymentId: number,
): Promise<void> {
  const { refund_id } = await paymentScope.within(async (tx) => {
    const context = { tx, actor: actorOf(person) } as unknown as Context // The verb uses only these members.
    const row = await paymentRow(tx, paymentId)
    return requestRefund(context, { row, input: { reason: 'Paid twice' } })
  })
  await sendRefund(paymentScope, refund_id)
}

/** The people who should have cards and lack `what`. */
const peopleWithout = (
  { within }: PaymentScope,
  what: 'setup_intents' | 'payments' | 'automated_billing_rules',
) =>
  within((tx) =>
    tx
      .selectFrom('clients')
      .select(['id', 'email'])
      .where('email', 'in', Object.keys(cards))
      .where(sql<SqlBool>`not exists (select from ${sql.table(what)} s where s.client_id = clients.id)`)
      .execute(),
  )

/** Adds the cards of the demo, once: two for Ana, one that is declined for Ioana. */
export async function seedCards(paymentScope: PaymentScope): Promise<void> {
  const { sandbox } = paymentScope.payments
  if (!sandbox) return
  for (const person of await peopleWithout(paymentScope, 'setup_intents'))
    for (const card of cards[person.email] ?? []) await addCard(paymentScope, sandbox, person, card)
}

/** Makes today's card payments, once: automatic billing by Ana, and a declined payment by Ioana. */
export async function payByCards(paymentScope: PaymentScope): Promise<void> {
  if (!paymentScope.payments.sandbox) return
  for (const person of await peopleWithout(paymentScope, 'automated_billing_rules'))
    if (person.email === 'ana@demo.test') await automate(paymentScope, person)
  for (const person of await peopleWithout(paymentScope, 'payments'))
    if (person.email === 'ioana@demo.test') await payByCard(paymentScope, person, 25)
}
