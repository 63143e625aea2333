import type { plans as plansContract } from '@portico/contract/resources/plans.ts'
import { base } from '@portico/contract/wire.ts'
import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import type * as z from 'zod/mini'
import { chargeIfLow } from '#money/payments/automatic/automated-billing.ts'
import { paymentScopeOn } from '#money/payments/payment-scope.ts'
import { type Account, makeAccount } from '#test/support/account.ts'
import { makeKey } from '#test/support/api-key.ts'
import { addCard, pay } from '#test/support/card.ts'
import { makeBuyer, makeOperator } from '#test/support/documents.ts'
import { only, TestEngine } from '#test/support/engine.ts'
import { untilBlocked } from '#test/support/lock-wait.ts'
import { testVault } from '#test/support/mail.ts'
import { businessTime, movedBalance, used } from '#test/support/money.ts'
import { offerCurrencies } from '#test/support/newcomer.ts'
import { makePlans } from '#test/support/plans.ts'
import { testPortal, type Visitor } from '#test/support/portal.ts'

// A panel or a dearer plan needs money for three days of all that then runs. March has 31 days, so 31 a month is one a day.

const engine = new TestEngine()
const portal = await testPortal({ engines: only(engine), poolSize: 10 })
const { pool } = portal
const db = pool.kysely
await makeOperator(pool)
const plans = await makePlans(db, { start: '31.00', big: '310.00', free: '0.00', penny: '0.31' })
await offerCurrencies(pool, 'EUR', 'RON')
await sql`insert into plan_prices (price_list_id, plan_id, valid, monthly)
  select l.id, p.plan_id, p.valid, p.monthly * case l.currency when 'RON' then 5 else 1 end
  from price_lists l, plan_prices p where l.currency <> 'USD'`.execute(db)
await sql`insert into plan_engines (plan_id, panel_engine_id, engine_plan)
  select id, default_panel_engine(), 'e-' || code from plans`.execute(db)
await sql`update plans set state = 'offered'`.execute(db)
await sql`update panel_engines set contract = '1.1', capabilities = capabilities
  || '{"change_plan": true, "check": true, "plans": ["e-start", "e-big", "e-free", "e-penny"]}' where is_default`.execute(
  db,
)

let ana: Account
let owner: Visitor

async function accountWith(balance: string, currency = 'USD'): Promise<Account> {
  const opening = { balance, credit: '0', on: '2026-01-01' }
  const account = await makeAccount(pool, { projects: 1, panels: 0, opening, currency })
  await makeBuyer(pool, account, { company: false })
  return account
}

beforeEach(async () => {
  await businessTime(pool, '2026-03-10T12:30:00Z')
  await sql`update billing_policies set days_ahead = 3`.execute(db)
  ana = await accountWith('2.5')
  owner = portal.as(ana)
})

let named = 0

const add = (visitor: Visitor, plan = 'start', account = ana, language = 'en') =>
  visitor.call('POST', `${base}/panels`, {
    body: {
      data: {
        type: 'panels',
        attributes: { name: `panel ${++named}`, plan_code: plan },
        relationships: { project: { data: { type: 'projects', id: String(account.projects[0]) } } },
      },
    },
    headers: { 'accept-language': language },
  })

type Quote = z.output<typeof plansContract.actions.quote.output>

async function quote(visitor: Visitor, plan = 'start', account = ana): Promise<Quote> {
  const payload = encodeURIComponent(JSON.stringify({ plan, client_id: account.id }))
  return (await visitor.get(`${base}/plans/-actions/quote?payload=${payload}`)).json as Quote // As the contract has it.
}

/** The panels of an account, as the owner counts them. */
const panelsOf = async (account: Account) =>
  (await portal.as(account).get(`${base}/panels?filter[client_id]=${account.id}`)).list.length

/** A running panel of a plan. */
async function running(plan: keyof typeof plans, account = ana): Promise<number> {
  const { rows } = await sql<{
    id: number
  }>`insert into panels (client_id, project_id, name, status, external_id, plan_id)
    values (${account.id}, ${account.projects[0]}, ${`panel ${++named}`}, 'active', ${`ext-${named}`}, ${plans[plan]})
    returning id`.execute(db)
  return rows[0]?.id ?? 0
}

const change = (visitor: Visitor, panel: number, plan: string, monthly: number, currency = 'USD') =>
  visitor.post(`${base}/panels/${panel}/-actions/changePlan`, { plan, expects: { monthly, currency } })
const quoteChange = async (visitor: Visitor, panel: number, plan: string) =>
  (await visitor.get(`${base}/panels/${panel}/-actions/quotePlan?payload[plan]=${plan}`)).json

const short = { missing: 0.5, deposit: 5, currency: 'USD', days: 3 }

describe('a new panel', () => {
  test('is refused with the sum that is missing, as its quote said, leaves nothing, and is added once it is paid', async () => {
    const stranger = await accountWith('1000')
    const guest = await accountWith('1000')
    await portal.share(ana, guest, { billing: 'allowed' })
    expect((await add(portal.nobody)).status).toBe(401)
    expect((await add(portal.as(stranger))).status).toBe(404)
    expect((await add(portal.as(guest))).faults[0]).toMatch(/^403 panels_add_not_allowed/)
    expect((await add(owner, 'nonsense')).faults[0]).toMatch(/^422 plan_not_offered/)
    const detail =
      'Afterwards the balance would last less than 3 days. $0.50 is missing: top up, or turn on automatic payment with a card that has paid before.'
    expect(await quote(owner)).toMatchObject({
      can: false,
      obstacles: [{ code: 'balance_too_low', detail }],
      lacks: { missing: 0.5, deposit: 5 },
    })
    const refused = await add(owner)
    expect([refused.status, refused.errors]).toMatchObject([
      409,
      [{ code: 'balance_too_low', detail, meta: short }],
    ])
    const inRomanian = await add(owner, 'start', ana, 'ro')
    expect(inRomanian.errors[0]?.detail).toBe(
      'După aceea soldul ar ajunge pentru mai puțin de 3 zile. Lipsesc $0.50: alimentează contul sau activează plata automată cu un card cu care ai mai plătit.',
    )
    expect(await panelsOf(ana)).toBe(0)
    await movedBalance(pool, ana.id, '0.5', '2026-03-10')
    expect(await quote(owner)).toMatchObject({ can: true, obstacles: [], lacks: null })
    expect((await add(owner)).status).toBe(201)
    expect((await add(owner)).errors[0]?.meta).toEqual({ ...short, missing: 3 })
  })

  test('is asked of a guest without figures, unless they see the billing', async () => {
    const helper = await accountWith('1000')
    const clerk = await accountWith('1000')
    await portal.share(ana, helper, { add_panels: 'allowed' })
    await portal.share(ana, clerk, { add_panels: 'allowed', billing: 'allowed' })
    const key = portal.key(
      (await makeKey(pool, { client: ana.id, scopes: ['panels:read', 'panels:write'] })).id,
    )
    const detail = 'The balance of this account is too low for that. Ask its owner to top up.'
    for (const visitor of [portal.as(helper), key]) {
      const refused = await add(visitor)
      expect([refused.status, refused.errors]).toMatchObject([
        409,
        [{ code: 'balance_too_low_for_guest', detail }],
      ])
      expect(refused.errors[0]?.meta).toBeUndefined()
      expect(await quote(visitor)).toMatchObject({
        can: false,
        obstacles: [{ code: 'balance_too_low_for_guest', detail }],
        lacks: null,
        daily_use: null,
      })
    }
    expect((await add(portal.as(clerk))).errors[0]?.meta).toEqual(short)
    expect(await quote(portal.as(clerk))).toMatchObject({ lacks: { missing: 0.5, deposit: 5 } })
    expect(await panelsOf(ana)).toBe(0)
  })

  test.each([
    ['EUR', '2.999999', '€0.01', { missing: 0.01, deposit: 5 }],
    ['RON', '-14', 'RON 29.00', { missing: 29, deposit: 29 }],
    ['RON', '14.98', 'RON 0.02', { missing: 0.02, deposit: 25 }],
  ])('of an account in %s with %s lacks %s', async (currency, balance, said, lacks) => {
    const account = await accountWith(balance, currency)
    const visitor = portal.as(account)
    expect(await quote(visitor, 'start', account)).toMatchObject({ currency, lacks })
    const [refused] = (await add(visitor, 'start', account)).errors
    expect(refused?.meta).toEqual({ ...lacks, currency, days: 3 })
    expect(refused?.detail?.replace('\u00a0', ' ')).toContain(`${said} is missing`)
    await movedBalance(pool, account.id, String(lacks.missing), '2026-03-10')
    expect((await add(visitor, 'start', account)).status).toBe(201)
  })

  test('needs money for all that runs, metered use included', async () => {
    const account = await makeAccount(pool, { projects: 1, panels: 1, opening: null })
    const visitor = portal.as(account)
    await used(db, account, ['2026-03-08', '2026-03-09'], '2', { charged: false })
    // Four are not charged yet; two a day are metered, and one is the fee.
    await movedBalance(pool, account.id, '12', '2026-03-02')
    expect((await add(visitor, 'start', account)).errors[0]?.meta).toMatchObject({ missing: 1 })
    await movedBalance(pool, account.id, '1', '2026-03-02')
    expect((await add(visitor, 'start', account)).status).toBe(201)
  })

  test('that costs nothing needs no money where nothing else runs', async () => {
    const account = await makeAccount(pool, { projects: 1, panels: 0, opening: null })
    expect(await quote(portal.as(account), 'free', account)).toMatchObject({ can: true, lacks: null })
    expect((await add(portal.as(account), 'free', account)).status).toBe(201)
  })

  test('needs as many days as the policy says', async () => {
    for (const [days, missing, said] of [
      [0, undefined, undefined],
      [1, undefined, undefined],
      [1, 0.5, 'less than one day'],
      [21, 60.5, 'less than 21 days'],
    ] as const) {
      await sql`update billing_policies set days_ahead = ${days}`.execute(db)
      const answer = await add(owner)
      expect([days, answer.errors[0]?.meta?.missing]).toEqual([days, missing])
      if (said !== undefined) expect(answer.errors[0]?.detail).toContain(said)
    }
    const [romanian] = (await add(owner, 'start', ana, 'ro')).errors
    expect(romanian?.detail).toContain('mai puțin de 21 de zile')
    await expect(sql`update billing_policies set days_ahead = -1`.execute(db)).rejects.toThrow()
  })

  test('that failed at its engine is made again only when there is money by then', async () => {
    await movedBalance(pool, ana.id, '1', '2026-03-02')
    const { one } = await add(owner)
    await sql`update panels set status = 'error', failed_step = 'provision' where id = ${one.id}`.execute(db)
    await movedBalance(pool, ana.id, '-1', '2026-03-10')
    const retry = () => owner.post(`${base}/panels/${one.id}/-actions/retryProvision`, {})
    const refused = await retry()
    expect([refused.status, refused.errors[0]?.meta]).toEqual([409, short])
    expect((await owner.get(`${base}/panels/${one.id}`)).one.attributes?.status).toBe('error')
    await movedBalance(pool, ana.id, '0.5', '2026-03-10')
    await sql`update clients set billing_status = 5 where id = ${ana.id}`.execute(db)
    expect((await retry()).errors[0]?.code).toBe('account_suspended')
    await sql`update clients set billing_status = 1 where id = ${ana.id}`.execute(db)
    expect((await retry()).status).toBe(200)
  })

  test('needs money also for panels that resume, before their engine has confirmed it', async () => {
    const panel = await running('start')
    await sql`update panels set suspended_at = now(), suspension_due = true, status = 'suspended' where id = ${panel}`.execute(
      db,
    )
    await movedBalance(pool, ana.id, '2.5', '2026-03-10')
    expect(await quote(owner)).toMatchObject({ can: true, lacks: null })
    await sql`update panels set suspended_at = null where id = ${panel}`.execute(db)
    expect(await quote(owner)).toMatchObject({ lacks: { missing: 1, deposit: 5 } })
    expect((await add(owner)).errors[0]?.meta).toMatchObject({ missing: 1 })
  })
})

describe('credit of a trial', () => {
  const trial = async () => {
    const account = await makeAccount(pool, { projects: 1, panels: 0, opening: null })
    await sql`update clients set trial_credit_due = true, billing_status = 0, trial_ends_at = clock_now() + interval '14 days'
      where id = ${account.id}`.execute(db)
    return account
  }

  test('counts before it is given, is given with the panel, and does not pay for twice as much', async () => {
    const account = await trial()
    const visitor = portal.as(account)
    const quoted = await quote(visitor, 'start', account)
    expect(quoted).toMatchObject({ can: true, lacks: null, exhaustion_date: { before: null } })
    expect((await quote(visitor, 'big', account)).lacks).toEqual({ missing: 10, deposit: 10 })
    expect((await add(visitor, 'big', account)).status).toBe(409)
    expect((await add(visitor, 'start', account)).status).toBe(201)
    const { rows } =
      await sql`select credit_balance::float8 as credit, trial_credit_waiting::float8 as waiting
      from billing_profiles where id = ${account.id}`.execute(db)
    expect(rows).toEqual([{ credit: 20, waiting: 0 }])
    expect((await add(visitor, 'big', account)).errors[0]?.meta).toMatchObject({ missing: 13 })
  })

  test('that waits is said by the profile, until the trial is over', async () => {
    const account = await trial()
    const waiting = async () =>
      (await portal.as(account).get(`${base}/billing-profiles`)).list[0]?.attributes?.trial_credit_waiting
    expect(await waiting()).toBe(20)
    await businessTime(pool, '2026-03-25T12:30:00Z')
    expect(await waiting()).toBe(0)
    expect((await quote(portal.as(account), 'start', account)).lacks).toEqual({ missing: 3, deposit: 5 })
  })
})

describe('automatic payment', () => {
  const url = `${base}/automated-billing-rules`
  const consent = 'I agree that my card is charged whenever my balance is low.'

  /** A rule with this card, enabled as its owner does. */
  const enabledWith = async (card: number) => {
    const linkage = { card: { data: { type: 'cards', id: String(card) } } }
    const attributes = { threshold_amount: 15, recharge_amount: 50 }
    const body = { data: { type: 'automated-billing-rules', attributes, relationships: linkage } }
    const { id } = (await owner.call('POST', url, { body })).one
    const enable = () => owner.post(`${url}/${id}/-actions/enable`, { consent })
    expect((await enable()).status).toBe(200)
    return { id, enable }
  }

  const automatic = async () => {
    const card = await addCard(portal, ana)
    expect((await pay(owner, { net: 5 }, { card })).one.attributes?.status).toBe('succeeded')
    await movedBalance(pool, ana.id, '-5', '2026-03-10')
    await sql`insert into automated_billing_rules (client_id, enabled, status, threshold_amount, recharge_amount, card_id,
        consent_text_hash, consent_at, consent_client_id)
      values (${ana.id}, true, 'active', 15, 50, ${card}, ${Buffer.alloc(32)}, now(), ${ana.id})`.execute(db)
  }

  test('that works lets everything through', async () => {
    await automatic()
    expect(await quote(owner, 'big')).toMatchObject({ can: true, lacks: null })
    expect((await add(owner, 'big')).status).toBe(201)
  })

  test('of a card that never paid lets nothing through before its first payment', async () => {
    const card = await addCard(portal, ana)
    await enabledWith(card)
    expect((await quote(owner, 'big')).lacks).toEqual({ missing: 27.5, deposit: 27.5 })
    await pay(owner, { net: 5 }, { card })
    expect(await quote(owner, 'big')).toMatchObject({ can: true, lacks: null })
  })

  test('of a declined card does not come back by turning it off and on', async () => {
    const { id, enable } = await enabledWith(await addCard(portal, ana, '4000 0000 0000 0341'))
    const scope = paymentScopeOn({ pool, vault: testVault, payments: portal.payments })
    expect(await chargeIfLow(scope, ana.id)).toMatchObject({ outcome: 'charged' })
    expect((await owner.post(`${url}/${id}/-actions/disable`, {})).status).toBe(200)
    expect((await enable()).status).toBe(200)
    expect((await quote(owner, 'big')).can).toBe(false)
    expect((await add(owner, 'big')).errors[0]?.code).toBe('balance_too_low')
  })

  test.each([
    ['is off', sql`update automated_billing_rules set enabled = false, status = 'off'`],
    ['was declined', sql`update automated_billing_rules set failures = 1`],
    ['is paused', sql`update automated_billing_rules set status = 'paused_declined'`],
    ['waits for the bank', sql`update automated_billing_rules set status = 'needs_action'`],
    ['tries its other card', sql`update automated_billing_rules set use_fallback = true`],
    ['has a card that expired', sql`update cards set status = 'expired', is_default = false`],
    ['lacks an address', sql`update client_entities set address1 = null`],
    ['may not charge as much', sql`update automated_billing_rules set monthly_cap = 50`],
  ])('that %s does not', async (_why, change) => {
    await automatic()
    const { sql: text } = change.compile(db)
    await sql`${sql.raw(text)} where client_id = ${ana.id}`.execute(db)
    // Three days of the two are 90, and 2.5 are there.
    await movedBalance(pool, ana.id, '-30', '2026-03-10')
    expect((await add(owner, 'big')).errors[0]?.meta).toMatchObject({ missing: 57.5, deposit: 57.5 })
  })
})

describe('a change of plan', () => {
  test('to a dearer one is refused with the missing sum, as its quote said, and to a cheaper one is not', async () => {
    const panel = await running('start')
    await movedBalance(pool, ana.id, '27', '2026-03-10')
    const lacks = { missing: 0.5, deposit: 5 }
    const detail =
      'Afterwards the balance would last less than 3 days. $0.50 is missing: top up, or turn on automatic payment with a card that has paid before.'
    expect(await quoteChange(owner, panel, 'big')).toMatchObject({
      can: false,
      obstacles: [{ code: 'balance_too_low', detail }],
      lacks,
    })
    const refused = await change(owner, panel, 'big', 310)
    expect([refused.status, refused.errors]).toMatchObject([
      409,
      [{ code: 'balance_too_low', detail, meta: { ...lacks, currency: 'USD', days: 3 } }],
    ])
    expect((await owner.get(`${base}/panels/${panel}`)).one.attributes?.plan_change).toBe(null)
    await movedBalance(pool, ana.id, '-100', '2026-03-10')
    expect(await quoteChange(owner, panel, 'penny')).toMatchObject({ can: true, lacks: null })
    expect((await change(owner, panel, 'penny', 0.31)).status).toBe(200)
    await sql`update panel_plan_changes set state = 'failed', ended_at = now() where panel_id = ${panel}`.execute(
      db,
    )
    await movedBalance(pool, ana.id, '101', '2026-03-10')
    expect(await quoteChange(owner, panel, 'big')).toMatchObject({ can: true, obstacles: [], lacks: null })
    expect((await change(owner, panel, 'big', 310)).status).toBe(200)
    // It waits, and its money is not there for another one.
    expect((await add(owner)).errors[0]?.meta).toMatchObject({ missing: 2.5 })
  })

  test('whose limits are exceeded names them and the sum, because the person can mend both', async () => {
    const panel = await running('start')
    engine.verdict = {
      ok: false,
      code: 'limit_exceeded',
      exceeded: [{ limit: 'servers', allowed: 1, used: 3 }],
    }
    expect(await quoteChange(owner, panel, 'big')).toMatchObject({
      can: false,
      obstacles: [{ code: 'plan_limit_exceeded' }, { code: 'balance_too_low' }],
      lacks: { missing: 27.5, deposit: 27.5 },
    })
    engine.verdict = { ok: true }
  })

  test('that something else forbids names no sum, because a payment does not help', async () => {
    const panel = await running('start')
    engine.verdict = { ok: false, code: 'limit_exceeded' }
    expect(await quoteChange(owner, panel, 'big')).toMatchObject({
      can: false,
      obstacles: [{ code: 'plan_refused' }],
      lacks: null,
    })
    engine.verdict = { ok: true }
  })

  test('is asked of a guest without figures', async () => {
    const panel = await running('start')
    const helper = await accountWith('1000')
    await portal.share(ana, helper, { add_panels: 'allowed' })
    expect(await quoteChange(portal.as(helper), panel, 'big')).toMatchObject({
      can: false,
      obstacles: [{ code: 'balance_too_low_for_guest' }],
      lacks: null,
    })
    const refused = await change(portal.as(helper), panel, 'big', 310)
    expect([refused.status, refused.errors[0]?.code, refused.errors[0]?.meta]).toEqual([
      409,
      'balance_too_low_for_guest',
      undefined,
    ])
  })
})

describe('at the same moment', () => {
  /** Begins all while the account is held, and lets them go on once each of them waits for it. */
  async function atOnce<T>(...begin: (() => Promise<T>)[]): Promise<T[]> {
    let all: Promise<T[]> | undefined
    await db.transaction().execute(async (tx) => {
      await sql`select from ledger_accounts where client_id = ${ana.id} for update`.execute(tx)
      all = Promise.all(begin.map((one) => one()))
      await untilBlocked(pool, begin.length)
    })
    return all ?? []
  }

  test('two panels are not added with the money of one', async () => {
    await movedBalance(pool, ana.id, '0.5', '2026-03-10')
    const answers = await atOnce(
      () => add(owner),
      () => add(owner),
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409])
    expect(await panelsOf(ana)).toBe(1)
  })

  test('a panel and a dearer plan are not had with the money of one', async () => {
    const panel = await running('start')
    // For the plan three days of 10 are needed, for the panel of 2, and for both of 11.
    await movedBalance(pool, ana.id, '29', '2026-03-10')
    const answers = await atOnce(
      () => add(owner),
      () => change(owner, panel, 'big', 310),
    )
    expect(answers.map(({ status }) => status).filter((status) => status === 409)).toHaveLength(1)
  })
})

test('the portal logged no bug', () => {
  expect(portal.bugs).toEqual([])
})
