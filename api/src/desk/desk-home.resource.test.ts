import { base } from '@portico/contract/wire.ts'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { enqueue } from '#platform/jobs/enqueue.ts'
import { makeAccount } from '#test/support/account.ts'
import { makeKey } from '#test/support/api-key.ts'
import { businessTime } from '#test/support/money.ts'
import { makePayment } from '#test/support/payment.ts'
import { testPortal, type Visitor } from '#test/support/portal.ts'
import { makeMember } from '#test/support/staff.ts'
import { makeAdmin, makeTicket } from '#test/support/ticket.ts'
import { makeUsage } from '#test/support/usage.ts'

const portal = await testPortal()
const { pool } = portal
const db = pool.kysely
const roles = ['support', 'billing', 'admin', 'readonly'] as const
const as = Object.fromEntries(
  await Promise.all(roles.map(async (role) => [role, portal.staff(await makeAdmin(pool, role))] as const)),
)
const visitor = (role: string): Visitor => as[role] ?? portal.nobody
const ana = await makeAccount(pool, { projects: 1, panels: 2 })
const bogdan = await makeAccount(pool, { projects: 1, panels: 1, currency: 'EUR' })

// A month is closed some hours after its end, so that the month before is not always one that the close has left.
await businessTime(pool, '2026-11-20T10:00:00Z')
const lastMonth = '2026-10-01'

type Need = { need: string; urgent: boolean; count: number; since: string | null }
const needsOf = async (role: string) => {
  const answer = await visitor(role).get(`${base}/desk-home/-actions/needs`)
  expect(answer.status).toBe(200)
  return (answer.json as { needs: Need[] }).needs
}
const figuresOf = async (role: string) => (await visitor(role).get(`${base}/desk-home/-actions/figures`)).json

test('where nothing waits there are no lines', async () => {
  for (const role of roles) expect(await needsOf(role)).toEqual([])
})

test.each(['', '/1', '/-actions/needs', '/-actions/figures'])(
  'desk-home%s does not exist for others than staff',
  async (path) => {
    const guest = await makeAccount(pool, { projects: 0, panels: 0 })
    await portal.share(ana, guest, { billing: 'allowed', tickets: 'allowed' })
    const key = await makeKey(pool, { client: ana.id })
    for (const one of [portal.as(ana), portal.as(guest), portal.key(key.id), portal.nobody]) {
      const answer = await one.get(`${base}/desk-home${path}`)
      expect([answer.status, answer.errors[0]?.code]).toEqual([404, 'address_not_found'])
    }
    // An expired token needs a 401, so that the browser renews it.
    const stale = await portal.nobody.get(`${base}/desk-home${path}`, { authorization: 'Bearer stale' })
    expect(stale.status).toBe(401)
  },
)

test('each role sees its own open work, the most urgent first', async () => {
  const { transactions } = await makePayment(pool, ana.id)
  await sql`update payments set begun_at = now() - interval '2 days' where id = ${transactions}`.execute(db)
  await sql`insert into payments (client_id, purpose, provider, currency, net, vat, gross, vat_treatment, vat_country, vat_rate,
      status) values (${bogdan.id}, 'deposit', 'sandbox', 'EUR', 10, 0, 10, 'domestic', 'RO', 0, 'failed')`.execute(
    db,
  )
  await sql`insert into payment_disputes (payment_id, provider, provider_ref, amount, status, created_at)
    values (${transactions}, 'sandbox', 'dp_1', 5, 'open', '2026-01-02T00:00:00Z'),
      (${transactions}, 'sandbox', 'dp_2', 5, 'won', '2026-01-01T00:00:00Z')`.execute(db)
  await sql`insert into staff_alerts (kind, about, detail) values ('disputed', 'payment 1', '{}'), ('job_failed', 'mail.send', '{}')`.execute(
    db,
  )
  await sql`update panel_engines set health = 'down' where id = (select min(id) from panel_engines)`.execute(
    db,
  )
  await sql`update panels set status = 'error' where id = ${ana.panels[0]}`.execute(db)
  await enqueue(db, 'mail.send', { letterId: 1 })
  await sql`update graphile_worker._private_jobs set attempts = max_attempts`.execute(db)
  await sql`insert into outbox_letters (kind, language, recipient, message_id, failed_at, last_error)
    values ('welcome', 'en', 'ana@example.com', '<1@portal>', now(), '550 No such user'),
      ('welcome', 'en', 'given-up@example.com', '<2@portal>', now(), null)`.execute(db)
  // Confirmations: of a client who waits, of one who has just registered, and one that was sent.
  await sql`insert into outbox_letters (kind, language, recipient, message_id, created_at, sent_at)
    values ('verify-email', 'en', 'waits@example.com', '<3@portal>', now() - interval '1 minute', null),
      ('verify-email', 'en', 'new@example.com', '<4@portal>', now() + interval '1 day', null),
      ('verify-email', 'en', 'sent@example.com', '<5@portal>', now() - interval '1 minute', now())`.execute(
    db,
  )
  await sql`update clients set trial_ends_at = clock_now() + interval '1 day' where id = ${bogdan.id}`.execute(
    db,
  )
  for (const department of ['technical', 'billing']) {
    const { ticket } = await makeTicket(pool, { client: ana.id, department })
    await sql`update tickets set ticket_status_id = 2, first_response_due = now() - interval '1 hour' where id = ${ticket}`.execute(
      db,
    )
  }
  await sql`with s as (insert into bank_statements (filename, format, sha256, iban, currency, lines, admin_id)
      select 'a.csv', 'csv', 'x', 'RO', 'USD', 2, min(id) from admins returning id)
    insert into bank_lines (statement_id, iban, reference, booked_on, amount, currency, text, is_reversal, state)
    select s.id, 'RO', v.state, '2026-01-02', 5, 'USD', '', false, v.state
    from s, (values ('open'), ('ignored')) v (state)`.execute(db)
  const machines = ['engines_down', 'jobs_dead', 'panels_failed']
  const soon = ['tickets_overdue', 'tickets_unassigned']
  const named = async (role: string) => (await needsOf(role)).map(({ need, count }) => `${need} ${count}`)
  const lines = (...needs: string[]) => needs.map((need) => (/ \d$/.test(need) ? need : `${need} 1`))
  expect(await named('admin')).toEqual(
    lines('disputes', 'alerts 2', 'engines_down', 'payments_stuck', 'jobs_dead', 'panels_failed').concat(
      lines(
        'addresses_waiting',
        'bank_open',
        'tickets_overdue 2',
        'tickets_unassigned 2',
        'payments_failed',
        'letters_failed',
        'trials_ending',
      ),
    ),
  )
  expect(await named('billing')).toEqual(
    lines('disputes', 'alerts', 'payments_stuck', 'bank_open', ...soon, 'payments_failed', 'trials_ending'),
  )
  expect(await named('support')).toEqual(
    lines(...machines, ...soon.map((need) => `${need} 2`), 'letters_failed', 'trials_ending'),
  )
  expect(await named('readonly')).toEqual((await named('admin')).filter((line) => !line.startsWith('alerts')))
  const [dispute] = await needsOf('billing')
  expect(dispute).toEqual({
    need: 'disputes',
    urgent: true,
    count: 1,
    until: null,
    since: '2026-01-02T00:00:00Z',
  })
})

test('the lists behind engines, panels and trials have as many rows as their lines say', async () => {
  // Rows that are like those that wait, and do not.
  await sql`insert into panel_engines (code, name, kind, base_url, health, disabled_at)
    values ('off', 'Off', 'http', 'https://engine.example', 'down', now()),
      ('on', 'On', 'http', 'https://engine.example', 'up', null)`.execute(db)
  await sql`update panels set status = 'error', deleted_at = now() where id = ${bogdan.panels[0]}`.execute(db)
  for (const [ends, status, ended] of [
    ['4 days', 1, null],
    ['-1 hour', 1, null],
    ['1 day', 4, null],
    ['1 day', 1, '2026-11-19'],
  ] as const) {
    const { id } = await makeAccount(pool, { projects: 0, panels: 0 })
    await sql`update clients set trial_ends_at = clock_now() + ${ends}::interval, status = ${status},
      trial_ended_on = ${ended}::date where id = ${id}`.execute(db)
  }
  for (const role of ['support', 'admin', 'readonly'])
    for (const [need, list] of [
      ['engines_down', 'desk-engines?filter[state]=down'],
      ['panels_failed', 'desk-panels?filter[status]=error'],
      ['trials_ending', 'desk-clients?filter[trial_ends]=true'],
      ['letters_failed', 'desk-letters?filter[state]=failed'],
    ]) {
      const line = (await needsOf(role)).find((one) => one.need === need)
      const { page } = await visitor(role).get(`${base}/${list}`)
      expect([need, line?.count, page.total]).toEqual([need, 1, 1])
    }
})

test('a payment that arrived later settles a failed one', async () => {
  const failed = async () => (await needsOf('billing')).filter(({ need }) => need === 'payments_failed')
  expect(await failed()).toHaveLength(1)
  await sql`insert into payments (client_id, purpose, provider, currency, net, vat, gross, vat_treatment, vat_country, vat_rate,
      status, settled_at, begun_at) values (${bogdan.id}, 'deposit', 'sandbox', 'EUR', 10, 0, 10, 'domestic', 'RO', 0,
      'succeeded', clock_now(), now() + interval '1 second')`.execute(db)
  expect(await failed()).toEqual([])
})

test('a bill that the close of the month left is a line until it is issued', async () => {
  const open = async () => (await needsOf('billing')).filter(({ need }) => need === 'month_open')
  await sql`insert into operator_profile (legal_name, tax_number, address1, city, country, time_zone)
    values ('Host SRL', 'RO1', 'Strada 1', 'Cluj', 'RO', 'UTC')`.execute(db)
  expect(await open()).toEqual([])
  await makeUsage(pool, { client: ana.id, panels: ana.panels, days: [lastMonth], charged: [lastMonth] })
  expect(await open()).toMatchObject([{ count: 1, urgent: true }])
})

test('the figures are by currency, without staff, and against the same days of the month before', async () => {
  const before = await figuresOf('billing')
  await makeMember(pool, 'support')
  expect(await figuresOf('billing')).toEqual(before)
  await makeAccount(pool, {
    projects: 0,
    panels: 0,
    currency: 'EUR',
    opening: { balance: '-7.25', credit: '0', on: '2026-01-01' },
  })
  await sql`update payments set settled_at = date_trunc('month', clock_now() at time zone 'utc') at time zone 'utc'
      - interval '1 month' where client_id = ${bogdan.id} and status = 'succeeded'`.execute(db)
  await sql`update clients set status = 4, closed_at = clock_now() where id = ${bogdan.id}`.execute(db)
  const after = await figuresOf('admin')
  const { rows } = await sql<{ sum: string }>`select sum(amount) from usage_charges`.execute(db)
  const charged = Number(rows[0]?.sum)
  expect(charged).toBeGreaterThan(0)
  expect(after).toMatchObject({
    money: [
      { currency: 'EUR', charged: 0, received: 0, received_before: 10, owed: 7.25, owing: 1 },
      { currency: 'USD', charged: 0, charged_before: charged, received: 0 },
    ],
    left: { now: 1, before: 0 },
  })
  expect(await figuresOf('readonly')).toEqual(after)
  const refused = await visitor('support').get(`${base}/desk-home/-actions/figures`)
  expect([refused.status, refused.errors[0]?.code]).toEqual([403, 'nobody_may'])
})

test('the charges of the month are there by day, those without one as zero', async () => {
  await makeUsage(pool, { client: ana.id, panels: ana.panels, days: ['2026-11-03'], charged: ['2026-11-03'] })
  const { money } = (await figuresOf('readonly')) as { money: Record<string, unknown>[] }
  const { charged, charged_by_day: days } = money.find(({ currency }) => currency === 'USD') ?? {}
  expect(charged).toBeGreaterThan(0)
  expect(days).toEqual(Array.from({ length: 20 }, (_, at) => (at === 2 ? charged : 0)))
  expect(money.find(({ currency }) => currency === 'EUR')).toMatchObject({ charged_by_day: [] })
})

test('disputes say by when the first has to be answered', async () => {
  await sql`update payment_disputes set answer_by = '2026-11-25T10:00:00Z' where status = 'open'`.execute(db)
  const line = (await needsOf('billing')).find(({ need }) => need === 'disputes')
  expect(line).toMatchObject({ until: '2026-11-25T10:00:00Z' })
  expect((await needsOf('billing')).find(({ need }) => need === 'alerts')).toMatchObject({ until: null })
})

test('the recurring revenue is that of the last reports, and of the end of the month before', async () => {
  type Money = { money: { currency: string; mrr: number | null; mrr_before: number | null }[] }
  const recurring = async () =>
    ((await figuresOf('billing')) as Money).money.map(({ currency, mrr, mrr_before }) => [
      currency,
      mrr,
      mrr_before,
    ])
  expect(await recurring()).toEqual([
    ['EUR', null, null],
    ['USD', null, null],
  ])
  const report = (day: string, currency: string, mrr: string) =>
    sql`with d as (insert into report_days (day, stale, made_at) values (${day}, false, clock_now())
        on conflict (day) do update set stale = false returning day)
      insert into report_stocks (day, currency, mrr, panels, paid_ahead, owed, payers, payers_before, joined, departed)
      select day, ${currency}, ${mrr}, 1, 0, 0, 0, 0, 0, 0 from d`.execute(db)
  await report('2026-10-31', 'USD', '40')
  await report('2026-11-19', 'USD', '45')
  await report('2026-11-20', 'USD', '57.5')
  await report('2026-11-20', 'RON', '12')
  await report('2026-11-20', 'GBP', '0')
  // Documents may have days that are still to come.
  await report('2026-11-30', 'USD', '99')
  expect(await recurring()).toEqual([
    ['EUR', null, null],
    ['RON', 12, null],
    ['USD', 57.5, 40],
  ])
})

test('meta.may shows who may read the figures', async () => {
  const mayReadFigures = async (role: string) =>
    (await visitor(role).get(`${base}/desk-home`)).list[0]?.meta?.may?.readFigures
  expect(await Promise.all(roles.map(mayReadFigures))).toEqual([false, true, true, true])
})

test('the server logged no bug', () => {
  expect(portal.bugs).toEqual([])
})
