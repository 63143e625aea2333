import Big from 'big.js'
import fc from 'fast-check'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { Database } from '#platform/db/pool.ts'
import { transact } from '#platform/db/transact.ts'
import { Problem } from '#platform/errors/problem.ts'
import { type Account, makeAccount } from '#test/support/account.ts'
import { testDatabase } from '#test/support/database.ts'
import { byStaff, used } from '#test/support/money.ts'
import { runSeed } from '#test/support/sweep.ts'
import { wish } from '#test/support/wish.ts'
import { serviceBillIssued, serviceBillPaid, writeOff } from './bills.ts'
import { expirePromo, grantGoodwill, grantPromo } from './credit.ts'
import { deposit, disputeLost, refund } from './deposits.ts'
import { reverse } from './reverse.ts'
import { verifyLedger } from './verify.ts'

const { pool } = await testDatabase()
const db = pool.kysely

/** Say LEDGER_RUNS to look at more sequences. */
const numRuns = wish('LEDGER_RUNS', 12)

const verbs = [
  'deposit',
  'promo',
  'expire',
  'goodwill',
  'use',
  'correct',
  'bill',
  'settle',
  'refund',
  'dispute',
  'writeOff',
  'reverse',
] as const
type Step = {
  verb: (typeof verbs)[number]
  amount: string
  vat: string
  day: number
  /** Posts the transaction twice; for a correction, makes it a reduction. */
  again: boolean
  /** Which of the earlier uses is corrected. */
  which: number
}

// From the smallest that the books hold to more than a double holds exactly.
const amount = fc
  .oneof(
    { weight: 5, arbitrary: fc.integer({ min: 1, max: 20_000_000 }) },
    fc.constantFrom(1, 100_000, 300_000, 2 ** 31, 2 ** 53),
  )
  .map((millionths) => new Big(millionths).div(1_000_000).toFixed())
const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.record({
    // Only usage can be corrected, so usage and corrections are more frequent.
    verb: fc.constantFrom(...verbs, 'use', 'promo', 'correct', 'correct'),
    amount,
    vat: amount,
    day: fc.integer({ min: 1, max: 28 }),
    again: fc.boolean(),
    which: fc.nat(24),
  }),
  { minLength: 12, maxLength: 25 },
)

/** The reported use of a resource on a day. Corrections may take back more than was used, which costs nothing. */
type Use = { readonly resource: string; readonly on: string; readonly reported: Big }

/** The expected state of the ledger, derived from the rules alone. */
type Model = {
  readonly balance: Big
  readonly credit: Big
  readonly vatDue: Big
  readonly uses: readonly Use[]
  /** The promotional credit used per day and not returned. */
  readonly taken: ReadonlyMap<string, Big>
}
const zero = new Big(0)
const none: Model = { balance: zero, credit: zero, vatDue: zero, uses: [], taken: new Map() }
const least = (a: Big, b: Big) => (a.lt(b) ? a : b)
const most = (a: Big, b: Big) => (a.gt(b) ? a : b)

const dayOf = (step: Step) => `2026-06-${String(step.day).padStart(2, '0')}`
const corrected = ({ uses }: Model, { which }: Step) => uses[which % uses.length]
const correction = ({ amount: text, again }: Step) => (again ? new Big(text).neg() : new Big(text))

/** Credit is spent first, and a correction returns to the credit first, up to the day's amount. */
function comesTo(model: Model, use: Use, more: Big): Model {
  const reported = use.reported.plus(more)
  const costs = most(reported, zero).minus(most(use.reported, zero))
  const taken = model.taken.get(use.on) ?? zero
  const fromCredit = costs.gt(0) ? least(model.credit, costs) : most(costs, taken.neg())
  return {
    ...model,
    balance: model.balance.minus(costs.minus(fromCredit)),
    credit: model.credit.minus(fromCredit),
    uses: [...model.uses.filter(({ resource }) => resource !== use.resource), { ...use, reported }],
    taken: new Map(model.taken).set(use.on, taken.plus(fromCredit)),
  }
}

/** The expected state after a step; null when the step must be refused. */
function expected(model: Model, step: Step, key: string): Model | null {
  const { balance, credit, vatDue } = model
  const [a, v] = [new Big(step.amount), new Big(step.vat)]
  const next = (change: Partial<Model>): Model => ({ ...model, ...change })
  switch (step.verb) {
    case 'deposit':
      return next({ balance: balance.plus(a) })
    case 'promo':
    case 'goodwill':
      return next({ credit: credit.plus(a) })
    case 'expire':
      return credit.gte(a) ? next({ credit: credit.minus(a) }) : null
    case 'use':
      return comesTo(model, { resource: `server/${key}`, on: dayOf(step), reported: zero }, a)
    case 'correct': {
      const use = corrected(model, step)
      return use ? comesTo(model, use, correction(step)) : model
    }
    case 'bill':
      return next({ vatDue: vatDue.minus(v) })
    case 'settle':
      return next({ balance: balance.plus(a), vatDue: vatDue.plus(v) })
    case 'refund':
      return balance.gte(a) ? next({ balance: balance.minus(a) }) : null
    case 'dispute':
      return next({ balance: balance.minus(a), vatDue: vatDue.minus(v) })
    case 'writeOff':
      return vatDue.plus(v).lte(0) ? next({ balance: balance.plus(a), vatDue: vatDue.plus(v) }) : null
    case 'reverse':
      return model
  }
}

type Deed = (tx: Database) => Promise<unknown>

function deed(account: Account, step: Step, key: string, model: Model): Deed {
  const on = dayOf(step)
  const use = corrected(model, step)
  const base = { clientId: account.id, currency: 'USD', key, on }
  const vat = { amount: step.vat, country: 'RO', rate: '21' }
  const money = { ...base, net: step.amount, means: 'psp:sandbox' } as const
  const deeds: Record<Exclude<Step['verb'], 'reverse'>, Deed> = {
    deposit: (tx) => deposit(tx, { ...money, vat }),
    promo: (tx) => grantPromo(tx, { ...base, amount: step.amount }),
    expire: (tx) => expirePromo(tx, { ...base, amount: step.amount }),
    goodwill: (tx) => byStaff(tx, () => grantGoodwill(tx, { ...base, amount: step.amount })),
    // Of one more resource each time.
    use: (tx) => used(tx, account, [on], step.amount, { resource: `server/${key}` }),
    correct: async (tx) =>
      use && used(tx, account, [use.on], correction(step).toFixed(), { resource: use.resource }),
    bill: (tx) => serviceBillIssued(tx, { ...base, vat }),
    settle: (tx) => serviceBillPaid(tx, { ...money, vat: step.vat }),
    refund: (tx) => refund(tx, { ...money, vat }),
    dispute: (tx) => disputeLost(tx, { ...money, vat: step.vat }),
    writeOff: (tx) => writeOff(tx, { ...base, net: step.amount, vat: step.vat }),
  }
  if (step.verb !== 'reverse') return deeds[step.verb]
  // A goodwill that is taken back at once, so that nothing else depends on it.
  return async (tx) => {
    const { id } = await byStaff(tx, () => grantGoodwill(tx, { ...base, amount: step.amount }))
    await reverse(tx, id, `${key}:back`, on)
  }
}

// The refusals for a lack of funds.
const lacking = new Set(['insufficient_balance', 'credit_insufficient', 'write_off_most'])

/** Does it, and once more when the step says so: a key that was used moves nothing. */
async function attempt(account: Account, step: Step, key: string, model: Model): Promise<boolean> {
  const act = () => transact(pool.kysely, 'read write', deed(account, step, key, model))
  const refused = (error: unknown) => {
    if (error instanceof Problem && lacking.has(error.code)) return false
    throw error
  }
  const done = await act().then(() => true, refused)
  if (done && step.again && step.verb !== 'use' && step.verb !== 'correct') await act()
  return done
}

async function kept(clientId: number): Promise<string[]> {
  const { rows } = await sql<Record<string, string>>`select b.account_balance, b.credit_balance, a.balance
    from account_balances b join ledger_accounts a on a.client_id = b.client_id and a.kind = 'client_vat_due'
    where b.client_id = ${clientId}`.execute(db)
  return Object.values(rows[0] ?? {})
}

/** The promotional credit used per day, according to the charges. */
async function takenFromCredit(clientId: number): Promise<string[]> {
  const { rows } = await sql<{
    line: string
  }>`select usage_on || ' ' || sum(from_credit) as line from usage_charges
    where client_id = ${clientId} group by usage_on having sum(from_credit) <> 0 order by usage_on`.execute(
    db,
  )
  return rows.map(({ line }) => line)
}

const linesOf = (taken: Model['taken']) =>
  [...taken].flatMap(([on, sum]) => (sum.eq(0) ? [] : [`${on} ${sum.toFixed(6)}`])).sort()

test(`after any sequence of operations the ledger is right after each step (TEST_SEED=${runSeed})`, {
  timeout: 60_000 + numRuns * 1000,
}, async () => {
  let runs = 0
  const property = fc.asyncProperty(steps, async (sequence) => {
    const account = await makeAccount(pool, { projects: 1, panels: 1, opening: null })
    let model = none
    const run = ++runs
    for (const [n, step] of sequence.entries()) {
      const key = `${run}-${n}`
      const after = expected(model, step, key)
      expect(await attempt(account, step, key, model)).toBe(after !== null)
      model = after ?? model
      const { balance, credit, vatDue } = model
      expect(await kept(account.id)).toEqual([balance, credit, vatDue].map((one) => one.toFixed(6)))
      expect(await takenFromCredit(account.id)).toEqual(linesOf(model.taken))
      // All of the books are read, which takes longer the more runs there were.
      if (run <= 12 || (run % 20 === 0 && n === 0)) expect(await verifyLedger(db)).toEqual([])
    }
  })
  await fc.assert(property, { seed: runSeed, numRuns, endOnFailure: true })
})
