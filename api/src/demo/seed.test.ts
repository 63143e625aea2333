import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { createAccount } from '#identity/accounts.ts'
import { hashPassword } from '#identity/crypto.ts'
import { verifyLedger } from '#money/ledger/verify.ts'
import { paymentsOf } from '#money/payments/payments.routes.ts'
import { testDatabase } from '#test/support/database.ts'
import { only, testVault } from '#test/support/engine.ts'
import { businessTime } from '#test/support/money.ts'
import { tokenSecret } from '#test/support/secret.ts'
import { SimulatedEngine } from '#workspaces/engines/simulated/engine.ts'
import { simulatedDay } from '#workspaces/engines/simulated/usage-figures.ts'
import { demoAccounts } from './accounts.ts'
import { seedDemo } from './seed.ts'

const { pool } = await testDatabase()
const db = pool.kysely
// The middle of a slot in which no server of the demo is in trouble but the one that always is.
const clock = { now: () => new Date('2026-03-18T12:05:00Z') }
const engines = only(new SimulatedEngine(clock, 'http://localhost/console'))
const useOfDay = simulatedDay
const keepFile = async (filename: string, content: Uint8Array) => ({
  filename,
  mime: 'text/plain',
  size: content.byteLength,
  sha256: new Uint8Array(32),
  key: randomUUID(),
  finding: 'skipped' as const,
})
const settings = { stripe: undefined, publicUrl: 'http://localhost' }
const payments = paymentsOf(settings, { pool, clock, secret: tokenSecret })
const shared = { pool, clock, vault: testVault, engines, payments, useOfDay }
const deps = { ...shared, keepFile, hashPassword, createAccount }

await businessTime(pool, clock.now().toISOString())
const seeded = await Promise.all([seedDemo(deps), seedDemo(deps), seedDemo(deps)])

test('everything that the seed writes of the operator names the demo as its reason', async () => {
  const reasons = await db.selectFrom('staff_actions').select(['reason', 'origin']).distinct().execute()
  expect(reasons).toEqual([{ reason: 'data of the demo', origin: 'portal' }])
})

const ofClient = (email: string) =>
  db.selectFrom('clients').selectAll().where('email', '=', email).executeTakeFirstOrThrow()

async function panelsOf(email: string) {
  const { rows } = await sql<{
    project: string
    name: string
    status: string
    servers: number
    clusters: number
    domains: number
  }>`
    select pr.name as project, p.name, p.status,
      (select count(*)::int from servers where panel_id = p.id) as servers,
      (select count(*)::int from clusters where panel_id = p.id) as clusters,
      (select count(*)::int from domains where panel_id = p.id) as domains
    from panels p join projects pr on pr.id = p.project_id join clients c on c.id = p.client_id
    where c.email = ${email} order by p.id`.execute(db)
  return rows
}

test('the demo is seeded once by concurrent starts', async () => {
  expect(seeded.filter(Boolean)).toHaveLength(1)
  expect(await seedDemo(deps)).toBe(false)
  const { rows } = await sql<{
    clients: number
    panels: number
  }>`select (select count(*)::int from clients) as clients,
    (select count(*)::int from panels) as panels`.execute(db)
  expect(rows[0]).toEqual({ clients: demoAccounts.length, panels: 11 })
})

test('gives Ana her three workspaces with what she hosts', async () => {
  const panels = await panelsOf('ana@demo.test')
  expect(panels.map(({ project, name }) => `${project}: ${name}`)).toEqual([
    'Production: web-eu1',
    'Production: shop-cluster',
    'Production: mail-eu1',
    'Staging: staging-eu1',
    'Client work: bistro-verde',
    'Client work: atelier-nord',
  ])
  expect(panels[0]).toMatchObject({ servers: 3, clusters: 0, domains: 9 })
  expect(panels[1]).toMatchObject({ servers: 0, clusters: 1 })
  expect(panels.map(({ status }) => status)).toEqual([
    'active',
    'active',
    'active',
    'active',
    'active',
    'degraded',
  ])
  const { rows } = await sql<{
    nodes: number
    mailboxes: number
  }>`select (select sum(nodes)::int from clusters c
    join panels p on p.id = c.panel_id and p.name = 'shop-cluster') as nodes, (select sum(mailboxes)::int from domains d
    join panels p on p.id = d.panel_id and p.name = 'mail-eu1') as mailboxes`.execute(db)
  expect(rows[0]).toEqual({ nodes: 4, mailboxes: 24 })
  const current = await db
    .selectFrom('projects')
    .select('name')
    .where('id', '=', (await ofClient('ana@demo.test')).current_project_id)
    .executeTakeFirst()
  expect(current?.name).toBe('Production')
})

test('leaves everybody with what they have after a quarter of a year of use, rated, charged and paid', async () => {
  const balances = await db
    .selectFrom('account_balances')
    .innerJoin('clients', 'clients.id', 'account_balances.client_id')
    .select(['email', 'account_balance', 'credit_balance', 'negative_since'])
    .where('email', 'in', ['ana@demo.test', 'mihai@demo.test', 'hans@demo.test', 'radu@demo.test'])
    .orderBy('clients.id')
    .execute()
  expect(balances.map((one) => Object.values(one))).toEqual([
    ['ana@demo.test', '41.270000', '8.000000', null],
    ['mihai@demo.test', '25.000000', '0.000000', null],
    ['hans@demo.test', '118.400000', '0.000000', null],
    ['radu@demo.test', '143.500000', '0.000000', null],
  ])
  const { rows } = await sql<Record<string, unknown>>`
    select c.email, b.negative_days, round(b.account_balance)::int as balance, round(b.credit_balance)::int as credit,
      round(b.daily_use)::int as daily_use, b.daily_use_basis_days as days, b.exhaustion_date - clock_today() as lasts,
      b.banner ->> 'reason' as banner,
      (select count(*)::int from billing_logs l where l.client_id = c.id and l.kind = 'deposit') as deposits,
      (select count(distinct usage_on)::int from usages u where u.client_id = c.id and usage_on < clock_today()) as used
    from billing_profiles b join clients c on c.id = b.id
    where c.email in ('ana@demo.test', 'ioana@demo.test', 'trial@demo.test') order by c.id`.execute(db)
  expect(rows).toMatchObject([
    {
      email: 'ana@demo.test',
      daily_use: 4,
      days: 7,
      deposits: 8,
      used: 95,
      lasts: 12,
      banner: null,
      negative_days: 0,
    },
    { email: 'ioana@demo.test', balance: -5, negative_days: 16, banner: 'balance', used: 95 },
    // Of the 20 that the trial gave, nine days of use are spent.
    { email: 'trial@demo.test', balance: 0, credit: 17, used: 9 },
  ])
  expect(await verifyLedger(db)).toEqual([])
})

test('lets Ana share: accepted by Mihai with two panels and the tickets, sent, and expired', async () => {
  const { rows } = await sql<{ invited: string; accepted: boolean; expired: boolean }>`
    select invited_email::text as invited, accepted, link_expires_at < ${clock.now().toISOString()} as expired
    from share_invitations order by created_at`.execute(db)
  expect(rows.map((one) => Object.values(one))).toEqual([
    ['mihai@demo.test', true, true],
    ['bogdan@demo.test', false, true],
    ['elena@demo.test', false, false],
  ])
  const mihai = await ofClient('mihai@demo.test')
  const reached = await sql<{ name: string; tickets: string; adds: boolean; deletes: boolean }>`
    select p.name, s.tickets::text as tickets, v.add_panels as adds, v.delete_panels as deletes
    from client_panels c join panels p on p.id = c.panel_id join shared_panels v on v.panel_id = p.id
      and v.permission_id = c.share_permission_id join share_permissions s on s.id = v.permission_id
    where c.client_id = ${mihai.id} order by p.id`.execute(db)
  expect(reached.rows.map((one) => Object.values(one))).toEqual([
    ['web-eu1', 'allowed', true, false],
    ['shop-cluster', 'allowed', true, false],
  ])
})

test('shows the trial on day 9 of 14, before the first sign-in', async () => {
  expect(await ofClient('trial@demo.test')).toMatchObject({
    status: 2,
    billing_status: 0,
    trial_ends_at: '2026-03-23T12:05:00Z',
  })
})

test('names Romanian and German companies with complete addresses', async () => {
  const { rows } =
    await sql`select b.client_id, e.company_name, co.code as country, ct.code as county, e.city, b.billing_complete
    from billing_profiles b join client_entities e using (client_id) join clients c on c.id = b.client_id
    left join countries co on co.id = e.country_id left join counties ct on ct.id = e.county_id
    where c.email in ('ana@demo.test', 'hans@demo.test') order by c.id`.execute(db)
  expect(rows).toMatchObject([
    {
      company_name: 'Lumen Studio SRL',
      country: 'RO',
      county: 'RO-B',
      city: 'SECTOR2',
      billing_complete: true,
    },
    { company_name: 'Becker Werkzeugbau GmbH', country: 'DE', county: null, billing_complete: true },
  ])
})

test('has four tickets of Ana: resolved, with a file, awaiting her, and about billing', async () => {
  const { rows } = await sql<Record<string, unknown>>`
    select d.code as department, s.code as status, o.first_name as opener, t.client_unread as unread,
      (select count(*)::int from ticket_messages m where m.ticket_id = t.id and visibility = 'public') as said,
      (select count(*)::int from ticket_files f where f.ticket_id = t.id) as files
    from tickets t join ticket_departments d on d.id = t.ticket_department_id
      join ticket_statuses s on s.id = t.ticket_status_id join clients o on o.id = t.opened_by_client_id
    where t.client_id = ${(await ofClient('ana@demo.test')).id} order by t.created_at`.execute(db)
  expect(rows.map((one) => Object.values(one).join(' '))).toEqual([
    'sales resolved Ana false 3 0',
    'technical awaiting_staff Mihai false 3 1',
    'technical awaiting_client Ana true 2 0',
    'billing open Ana false 1 0',
  ])
})

test('dates ticket notifications at their events, and leaves unread only those that await an answer', async () => {
  const { rows } = await sql<{ notice: string; early: boolean }>`
    select concat_ws(' ', split_part(c.email, '@', 1), n.kind, d.code) as notice,
      n.created_at < now() - interval '1 hour' as early
    from notifications n join clients c on c.id = n.client_id join tickets t on t.id = n.about_id
      join ticket_departments d on d.id = t.ticket_department_id
    where n.kind in ('ticket_opened', 'ticket_replied', 'ticket_answered') and n.read_at is null
    order by c.email, n.created_at`.execute(db)
  expect(rows).toEqual(
    [
      'admin ticket_opened technical',
      'admin ticket_opened billing',
      'ana ticket_answered technical',
      'billing ticket_opened billing',
      'support ticket_replied technical',
      'support ticket_opened billing',
    ].map((notice) => ({ notice, early: true })),
  )
})

test('has staff of each role, and only the demo’s people', async () => {
  const staff = await db.selectFrom('admins').select(['email', 'role']).orderBy('id').execute()
  expect(staff.map(({ email, role }) => `${email} ${role}`)).toEqual([
    'support@demo.test support',
    'billing@demo.test billing',
    'admin@demo.test admin',
  ])
  const clients = await db
    .selectFrom('clients')
    .select(['email', 'first_name', 'last_name'])
    .orderBy('id')
    .execute()
  expect(clients.map((one) => [one.email, `${one.first_name} ${one.last_name}`])).toEqual(
    demoAccounts.map(({ email, name }) => [email, name]),
  )
})

test('has documents for every payment and past month, in the order of days', async () => {
  const { rows } = await sql<{
    email: string
    reason: string
    kind: string
    documents: number
    treatment: string
    open: string
  }>`
    select c.email, i.reason, i.kind, count(*)::int as documents, min(i.vat_treatment) as treatment,
      sum(greatest(i.total - i.paid - i.credited, 0)) as open
    from invoices i join clients c on c.id = i.client_id where i.issued_at is not null group by 1, 2, 3 order by 1, 2, 3`.execute(
    pool.kysely,
  )
  const of = (email: string, reason: string, kind = 'fiscal') =>
    rows.find((row) => row.email === email && row.reason === reason && row.kind === kind)
  expect(of('ana@demo.test', 'advance')).toMatchObject({ treatment: 'domestic', open: '0.00' })
  expect(of('ana@demo.test', 'service_bill')?.documents).toBeGreaterThanOrEqual(3)
  // One for each deposit, and the one that waits for a transfer.
  expect(of('ana@demo.test', 'advance', 'proforma')).toMatchObject({ documents: 9, open: '121.00' })
  expect(of('ana@demo.test', 'storno', 'credit_note')).toMatchObject({ documents: 1 })
  const { rows: rates } = await sql<{
    days: number
  }>`select max(issue_date - fx_date)::int as days from invoices`.execute(db)
  // The rate of each is that of the last working day before it.
  expect(rates[0]?.days).toBeLessThanOrEqual(3)
  expect(of('hans@demo.test', 'service_bill')).toMatchObject({ treatment: 'reverse_charge' })
  const { rows: sums } = await sql<{ advances: string; deposits: string }>`
    select (select sum(net) from invoices where reason = 'advance' and kind = 'fiscal') as advances,
      (select sum(e.amount) from ledger_entries e join ledger_transactions t on t.id = e.transaction_id
        join ledger_accounts a on a.id = e.account_id
        where t.kind = 'deposit' and a.kind = 'client_balance') as deposits`.execute(pool.kysely)
  expect(Number(sums[0]?.advances)).toBe(Number(sums[0]?.deposits))
  const { rows: vat } = await sql<{ documents: string; books: string }>`
    select (select sum(vat) from invoices where kind <> 'proforma') as documents,
      (select sum(e.amount) from ledger_entries e join ledger_accounts a on a.id = e.account_id
        where a.kind = 'vat_payable') as books`.execute(pool.kysely)
  expect(Number(vat[0]?.documents)).toBe(Number(vat[0]?.books))
  const { rows: today } = await sql<{ today: string }>`select clock_today() as today`.execute(pool.kysely)
  expect(today).toEqual([{ today: '2026-03-18' }])
})

test('past deposits are in the history of payments, by card or by transfer, each with its invoice', async () => {
  const { rows } = await sql<Record<string, unknown>>`
    select c.email, p.method, p.status, k.last4, p.net, p.vat, p.gross, p.refunded, i.total = p.gross as invoiced,
      i.issue_date = (p.created_at at time zone 'Europe/Bucharest')::date as same_day, count(*)::int as payments,
      max(p.settled_at) < clock_now() as over
    from payments p join clients c on c.id = p.client_id left join cards k on k.id = p.card_id
      left join invoices i on i.id = p.advance_invoice_id
    group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 order by 1, count(*) desc`.execute(db)
  const [paid, takenBack, byBank, inLei] = rows
  const ana = {
    email: 'ana@demo.test',
    method: 'card',
    last4: '4242',
    net: '50.00',
    vat: '10.50',
    gross: '60.50',
  }
  const settled = { invoiced: true, same_day: true, over: true }
  expect(paid).toEqual({ ...ana, ...settled, status: 'succeeded', refunded: '0.00', payments: 7 })
  expect(takenBack).toEqual({ ...ana, ...settled, status: 'refunded', refunded: '60.50', payments: 1 })
  const hans = { email: 'hans@demo.test', method: 'bank_transfer', last4: null, vat: '0.00', gross: '100.00' }
  expect(byBank).toMatchObject({ ...hans, ...settled, status: 'succeeded' })
  const radu = { email: 'radu@demo.test', method: 'bank_transfer', vat: '21.00', gross: '121.00' }
  expect(inLei).toMatchObject({ ...radu, ...settled, status: 'succeeded' })
  expect(rows).toHaveLength(4)
  const given = await sql<{ number: string }>`select i.full_number as number from payment_refunds r
    join invoices i on i.id = r.credit_note_id where r.status = 'succeeded'`.execute(db)
  expect(given.rows).toEqual([{ number: 'ST-1' }])
  // The provider has the same transactions, so the comparison finds no difference.
  const { rows: open } = await sql`select from payments p where p.provider = 'sandbox' and not exists (
    select from sandbox_objects o where o.ref = p.provider_ref and o.body ->> 'status' = 'succeeded')`.execute(
    db,
  )
  expect(open).toEqual([])
})
