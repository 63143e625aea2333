import { sql } from 'kysely'
import { setOffAllDebts } from '#money/payments/disputes/debts.ts'
import { documentVerbs } from './document-verbs.ts'
import { Life, type Stripe } from './life.ts'
import { paymentVerbs } from './payment-verbs.ts'
import { unequalBooks } from './unequal-books.ts'

type Verb = { readonly name: string; readonly run: (life: Life) => Promise<boolean> }

const often: Readonly<Record<string, number>> = {
  deposit: 2,
  use: 2,
  payBill: 2,
  beginPayment: 2,
  endPayment: 2,
  credit: 2,
  creditLine: 2,
  refund: 2,
  endRefund: 2,
  dispute: 3,
}

const verbs: readonly Verb[] = Object.entries({ ...documentVerbs, ...paymentVerbs }).flatMap(([name, run]) =>
  Array<Verb>(often[name] ?? 1).fill({ name, run }),
)

/** Throws when ledger, documents and provider do not agree about a client. */
async function assertEqualBooks({ portal, client, disputes }: Life): Promise<void> {
  const report = (error: unknown) => {
    throw error
  }
  await setOffAllDebts({ ...portal.paymentScope, report })
  const lost = disputes.filter(({ status }) => status === 'lost')
  const takenBack = lost.reduce((sum, { cents }) => sum + cents / 100, 0)
  const unequal = await unequalBooks(portal.db, client.id, takenBack)
  if (unequal.length > 0) throw new Error(unequal.join('\n'))
  const { rows } = await sql`select from staff_alerts where kind = 'dispute_differs' and resolved_at is null
    and about in (select 'payment ' || id from payments where client_id = ${client.id})`.execute(portal.db)
  if (rows.length > 0) throw new Error('A dispute was not settled as its bank says.')
}

/**
 * Lives with the money of one client until so many random verbs were granted; refusals are rules and count for nothing. Throws with
 * all that happened when the books are not equal after a verb.
 */
export async function liveAsClient(stripe: Stripe, seed: number, steps: number): Promise<Life> {
  const life = await Life.begin(stripe, seed)
  try {
    while (life.done.length < steps) {
      const { name, run } = life.choices.one(verbs) ?? { name: '', run: paymentVerbs.deposit }
      if (await run(life)) life.done.push(name)
      await assertEqualBooks(life)
    }
  } catch (error) {
    throw new Error(`${error}\n${life.log.join('\n')}`, { cause: error })
  }
  return life
}
