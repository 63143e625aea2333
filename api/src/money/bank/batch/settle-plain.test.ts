import { base } from '@portico/contract/wire.ts'
import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { issueInvoice, issueProforma } from '#money/invoices/invoices.ts'
import { verifyLedger } from '#money/ledger/verify.ts'
import type { Account } from '#test/support/account.ts'
import { keyed, makePayer } from '#test/support/card.ts'
import { makeBuyer, makeOperator } from '#test/support/documents.ts'
import { untilBlocked } from '#test/support/lock-wait.ts'
import { businessTime } from '#test/support/money.ts'
import { testPortal, type Visitor } from '#test/support/portal.ts'
import { camt, type Entry, importFile } from '#test/support/statements.ts'
import { makeAdmin } from '#test/support/ticket.ts'
import { settlePlainLines } from './settle-plain.ts'

// Lines that share a transaction, compared with the same lines when each is decided by itself.

const portal = await testPortal({ poolSize: 16 })
const db = portal.pool.kysely
const lines = `${base}/bank-lines`
let billing: Visitor

beforeAll(async () => {
  await businessTime(portal.pool, '2026-03-20T10:00:00Z')
  await makeOperator(portal.pool)
  billing = portal.staff(await makeAdmin(portal.pool, 'billing'))
})

const buyers = [
  { country: 'RO', vatNumber: 'RO14399840' },
  { country: 'DE', vatNumber: 'DE136695976' },
  { country: 'DE', company: false },
  { country: 'US', company: false },
] as const

async function payer(buyer: (typeof buyers)[number]): Promise<Account> {
  const client = await makePayer(portal)
  await makeBuyer(portal.pool, client, buyer)
  if ('vatNumber' in buyer)
    await sql`insert into vat_checks (client_id, vat_number, status, source, request_identifier, checked_at)
      values (${client.id}, ${buyer.vatNumber}, 'valid', 'test', 'R1', clock_now())`.execute(db)
  return client
}

let references = 0
/** A new proforma of a client, and the money for it. */
async function asked({ id }: Account, net = '50'): Promise<Entry> {
  const { fullNumber, total } = await db
    .transaction()
    .execute((tx) => issueProforma(tx, { clientId: id, sum: { net } }))
  const reference = `P${++references}`
  return { amount: total, text: fullNumber, reference, payer: `Nobody ${references}`, iban: `X${references}` }
}

const lineOf = async ({ reference = '' }: Entry): Promise<string> =>
  (await billing.get(`${lines}?filter[search]=${reference}`)).list[0]?.id ?? ''

const confirm = async () => JSON.parse((await billing.post(`${lines}/-actions/confirmCertain`, {})).text)

/** Everything that a payment left behind, without what is only a name, a number or a moment of it. */
async function traces({ id }: Account): Promise<unknown> {
  const { rows } = await sql<{ all: unknown }>`
    select jsonb_build_object(
      'documents', (select jsonb_agg(to_jsonb(i) - array['id', 'client_id', 'number', 'full_number', 'proforma_id', 'issued_at',
          'created_at', 'updated_at', 'buyer'] || jsonb_build_object('proforma', i.proforma_id is not null, 'lines',
          (select jsonb_agg(to_jsonb(l) - array['id', 'invoice_id', 'created_at']) from invoice_lines l where l.invoice_id = i.id))
        order by i.id) from invoices i where i.client_id = ${id}),
      'payments', (select jsonb_agg(to_jsonb(p) - array['id', 'client_id', 'provider_ref', 'proforma_id', 'advance_invoice_id',
          'document_id', 'ledger_transaction_id', 'bank_line_id', 'settled_at', 'begun_at', 'created_at', 'updated_at']
          || jsonb_build_object('posted', p.ledger_transaction_id is not null, 'line', p.bank_line_id is not null))
        from payments p where p.client_id = ${id}),
      'ledger', (select jsonb_agg(jsonb_build_array(t.kind, t.source_type, t.effective_on, a.kind, a.currency, e.amount) order by e.id)
        from ledger_transactions t join ledger_entries e on e.transaction_id = t.id
        join ledger_accounts a on a.id = e.account_id where t.client_id = ${id}),
      'lines', (select jsonb_agg(jsonb_build_array(state, match, problem, amount)) from bank_lines where client_id = ${id}),
      'told', (select jsonb_agg(kind order by id) from notifications where client_id = ${id}),
      'jobs', (select jsonb_agg(k.identifier order by k.identifier) from graphile_worker._private_jobs j
        join graphile_worker._private_tasks k on k.id = j.task_id
        where j.key = 'bal:' || ${id}::text or j.key in (select 'invoice.documents:' || x.id from invoices x where x.client_id = ${id})),
      'balance', (select to_jsonb(b) - array['id', 'client_id', 'created_at', 'updated_at', 'evaluate_due', 'evaluated_on'] from account_balances b
        where b.client_id = ${id})) as all`.execute(db)
  return rows[0]?.all
}

test.each(buyers)('a $country buyer’s line has the same effects alone and with others', async (buyer) => {
  const [alone, ...together] = [await payer(buyer), await payer(buyer), await payer(buyer)]
  const single = await asked(alone)
  const others = await Promise.all(together.map((client) => asked(client)))
  await importFile(billing, camt([single, ...others]))
  expect(
    (await billing.post(`${lines}/${await lineOf(single)}/-actions/matchLine`, await target(alone))).status,
  ).toBe(200)
  expect(await confirm()).toEqual({ confirmed: 2, failed: 0, more: false })
  for (const client of together) expect(await traces(client)).toEqual(await traces(alone))
  expect(await verifyLedger(db)).toEqual([])
})

/** Settles the next lines after one, as `confirmCertain` does. */
const settle = (after: number, most: number) =>
  db
    .transaction()
    .execute((tx) => settlePlainLines(tx, { statementId: undefined, adminId: null, after, most }))

test('files of lines that more lines follow are made a little later', async () => {
  const clients = await Promise.all(Array.from({ length: 3 }, () => payer(buyers[0])))
  await importFile(billing, camt(await Promise.all(clients.map((client) => asked(client)))))
  const { settled, last } = await settle(0, 2)
  expect([settled, (await settle(last ?? 0, 2)).settled]).toEqual([2, 1])
  const { rows } = await sql<{
    later: boolean
  }>`select j.run_at > j.created_at + interval '30 seconds' as later
    from graphile_worker._private_jobs j join invoices i on j.key = 'invoice.documents:' || i.id
    where i.kind = 'fiscal' and i.client_id = any(${clients.map(({ id }) => id)}::bigint[]) order by i.id`.execute(
    db,
  )
  expect(rows.map(({ later }) => later)).toEqual([true, true, false])
})

/** The proforma of a client, as staff choose it. */
async function target({ id }: Account) {
  const { id: invoice_id } = await db
    .selectFrom('invoices')
    .select('id')
    .where('client_id', '=', id)
    .where('kind', '=', 'proforma')
    .executeTakeFirstOrThrow()
  return { invoice_id }
}

test('several lines of one client, and one of a client who owes a bill, are all confirmed at once', async () => {
  const [often, owing] = [await payer(buyers[0]), await payer(buyers[0])]
  const admin = portal.staff(await makeAdmin(portal.pool, 'admin'))
  const line = { description_en: 'Set-up', quantity: 1, unit_price: 10 }
  const bill = await keyed(admin, `${base}/desk-clients/${owing.id}/-actions/manualInvoice`, {
    lines: [line],
  })
  expect(bill.status).toBe(200)
  const all = [await asked(often), await asked(often, '20'), await asked(owing, '30')]
  await importFile(billing, camt(all))
  expect(await confirm()).toEqual({ confirmed: 3, failed: 0, more: false })
  const { rows } = await sql<{
    name: string
    net: string
  }>`select i.kind || ' ' || i.reason || ' ' || s.code as name, i.net
    from invoices i join invoice_statuses s on s.id = i.invoice_status_id
    where i.client_id in (${often.id}, ${owing.id}) and i.kind = 'fiscal' order by i.client_id, i.id`.execute(
    db,
  )
  expect(rows.map(({ name, net }) => `${name} ${net}`)).toEqual([
    'fiscal advance paid 50.00',
    'fiscal advance paid 20.00',
    'fiscal manual paid 10.00',
    'fiscal advance paid 20.00',
  ])
  expect(await verifyLedger(db)).toEqual([])
})

test('lines that need a decision by the way do not stop the batches', async () => {
  const [owing, ...plain] = await Promise.all(Array.from({ length: 4 }, () => payer(buyers[0])))
  if (!owing) throw new Error('There is no client.')
  const admin = portal.staff(await makeAdmin(portal.pool, 'admin'))
  const bill = { lines: [{ description_en: 'Set-up', quantity: 1, unit_price: 10 }] }
  await keyed(admin, `${base}/desk-clients/${owing.id}/-actions/manualInvoice`, bill)
  const entries = [await asked(owing)]
  for (const client of plain) entries.push(await asked(client))
  await importFile(billing, camt(entries))
  const first = await settle(0, 2)
  const second = await settle(first.last ?? 0, 2)
  expect([first.settled, second.settled]).toEqual([1, 2])
  expect(await settle(second.last ?? 0, 2)).toEqual({ settled: 0, last: undefined })
  expect(await confirm()).toEqual({ confirmed: 1, failed: 0, more: false })
})

test('of two lines that are both certain for one proforma, one pays it and the other needs a decision', async () => {
  const client = await payer(buyers[0])
  const entry = await asked(client)
  // Imports do not look at old lines again, so the first one stays certain when the second one comes.
  await importFile(billing, camt([entry]))
  await importFile(
    billing,
    camt([{ ...entry, reference: `P${++references}`, payer: 'Somebody', iban: 'Y1' }]),
  )
  await sql`update bank_lines set match = 'certain' where state = 'open'`.execute(db)
  const { settled } = await settle(0, 10)
  expect(settled).toBe(1)
  const { rows } = await sql`select count(*)::int as paid from invoices
    where client_id = ${client.id} and kind = 'fiscal'`.execute(db)
  expect(rows).toEqual([{ paid: 1 }])
  await sql`update bank_lines set match = 'none' where state = 'open'`.execute(db)
})

test('one reference of two banks is confirmed for both of them at the same moment', async () => {
  const clients = await Promise.all(Array.from({ length: 2 }, () => payer(buyers[0])))
  await importFile(billing, camt(await Promise.all(clients.map((client) => asked(client)))))
  await sql`update bank_lines set iban = 'other ' || id, bank_reference = 'SAME' where state = 'open'`.execute(
    db,
  )
  const first = await db.transaction().execute(async (tx) => {
    const settled = await settlePlainLines(tx, { statementId: undefined, adminId: null, after: 0, most: 1 })
    const other = confirm()
    await untilBlocked(portal.pool)
    return { settled, other }
  })
  expect(first.settled.settled).toBe(1)
  expect(await first.other).toEqual({ confirmed: 1, failed: 0, more: false })
  const { rows } = await sql<{ name: string }>`select p.provider_ref as name from payments p
    join bank_lines l on l.id = p.bank_line_id where l.bank_reference = 'SAME' order by p.id`.execute(db)
  expect(rows.map(({ name }) => name)).toEqual(['SAME', expect.stringMatching(/^SAME \/ \d+$/)])
  expect(await verifyLedger(db)).toEqual([])
})

test('numbers have no gap when many people confirm at once, and no line has two effects', async () => {
  const clients = await Promise.all(Array.from({ length: 12 }, () => payer(buyers[0])))
  const all = await Promise.all(clients.map((client) => asked(client)))
  await importFile(billing, camt(all))
  const done = await Promise.all(Array.from({ length: 6 }, confirm))
  expect(done.reduce((sum, { confirmed }) => sum + confirmed, 0)).toBe(12)
  const { rows } = await sql<{ gaps: number; twice: number }>`select
      (select max(number) - min(number) + 1 - count(*) from invoices where kind = 'fiscal')::int as gaps,
      (select count(*) - count(distinct bank_line_id) from payments where bank_line_id is not null)::int as twice`.execute(
    db,
  )
  expect(rows).toEqual([{ gaps: 0, twice: 0 }])
  expect(await verifyLedger(db)).toEqual([])
})

test('lines that are confirmed together, one by one and by others at the same moment are settled once', async () => {
  const clients = await Promise.all(Array.from({ length: 12 }, (_, at) => payer(buyers[at % 2 ? 0 : 3])))
  const entries = await Promise.all(clients.map((client) => asked(client)))
  // The same money twice, in two files of the bank.
  await importFile(billing, camt(entries))
  await importFile(billing, camt(entries.slice(0, 4)))
  const ids = await Promise.all(entries.map(lineOf))
  const match = async (at: number) => {
    const [client] = clients.slice(at)
    if (client === undefined) throw new Error('There are twelve clients.')
    return billing.post(`${lines}/${ids[at]}/-actions/matchLine`, await target(client))
  }
  const answers = await Promise.all([
    ...[0, 3].map(match),
    ...Array.from({ length: 2 }, () => billing.post(`${lines}/-actions/confirmCertain`, {})),
    match(6),
    ...[3, 10].map((at) => billing.post(`${lines}/${ids[at]}/-actions/ignoreLine`, { data: {} })),
  ])
  for (const { status } of answers) expect([200, 409, 422]).toContain(status)
  await confirm()
  const { rows } = await sql<{
    payments: number
    invoices: number
    paid: boolean
    held: boolean
    lines: number
  }>`
    select (select count(*)::int from payments p where p.client_id = c.id) as payments,
      (select count(*)::int from invoices i where i.client_id = c.id and i.kind = 'fiscal') as invoices,
      (select bool_and(i.paid = i.total) from invoices i where i.client_id = c.id and i.kind = 'proforma') as paid,
      (select b.account_balance = i.net from account_balances b, invoices i
        where b.client_id = c.id and i.client_id = c.id and i.kind = 'proforma') as held,
      (select count(*)::int from bank_lines l where l.client_id = c.id and l.state = 'matched') as lines
    from clients c join unnest(${clients.map(({ id }) => id)}::bigint[]) with ordinality as o (id, at) on o.id = c.id
    order by o.at`.execute(db)
  const once = { payments: 1, invoices: 1, paid: true, held: true, lines: 1 }
  const never = { payments: 0, invoices: 0, paid: false, held: false, lines: 0 }
  for (const [at, row] of rows.entries())
    expect([at, row]).toEqual([at, at === 3 || at === 10 ? expect.toBeOneOf([once, never]) : once])
  expect(await verifyLedger(db)).toEqual([])
  expect(portal.bugs.splice(0)).toEqual([])
})

/** Lets one sale of 50 dollars, which is 225 lei, be taxed at home up to a day, and not a second one. */
const leaveOne = (day: string) =>
  sql`update operator_profile set oss_registered = false, oss_threshold = 300 + (
    select coalesce(sum(net * coalesce(fx_rate, 1)), 0) from invoices
    where vat_treatment in ('origin', 'destination') and kind <> 'proforma' and issued_at is not null
      and tax_point_date between date_trunc('year', ${day}::date) and ${day}::date)`.execute(db)

test.each([
  { days: ['2026-03-19', '2026-03-19', '2026-03-19'], taxed: ['RO', 'DE', 'DE'] },
  // Listed newest first, and decided by their days.
  { days: ['2026-03-18', '2026-03-17', '2026-03-16'], taxed: ['DE', 'DE', 'RO'] },
  // The line of the 29th is of a day before the threshold was exceeded, and the last one of the year after.
  { days: ['2025-12-30', '2025-12-30', '2025-12-29', '2026-01-02'], taxed: ['DE', 'DE', 'RO', 'DE'] },
])(
  'of lines that exceed the threshold of sales abroad together, each has the VAT of its day: $taxed',
  async ({ days, taxed }) => {
    const clients = await Promise.all(days.map(() => payer(buyers[2])))
    await leaveOne(days[0] ?? '')
    const entries: Entry[] = []
    for (const [at, client] of clients.entries())
      entries.push({ ...(await asked(client)), day: days[at] ?? '' })
    await importFile(billing, camt(entries))
    expect(await confirm()).toMatchObject({ confirmed: days.length })
    const { rows } = await sql<{ vat_country: string }>`select vat_country from invoices
    where client_id = any(${clients.map(({ id }) => id)}::bigint[]) and kind = 'fiscal' order by number`.execute(
      db,
    )
    expect(rows.map(({ vat_country }) => vat_country)).toEqual(taxed)
    await sql`update operator_profile set oss_registered = true`.execute(db)
  },
)

test('a line that is confirmed while another sale is made is decided by it', async () => {
  const [other, client] = [await payer(buyers[2]), await payer(buyers[2])]
  await leaveOne('2026-03-19')
  await importFile(billing, camt([{ ...(await asked(client)), day: '2026-03-19' }]))
  const { confirming } = await db.transaction().execute(async (tx) => {
    await issueInvoice(tx, { clientId: other.id, sum: { net: '50' }, on: '2026-03-19' })
    const answer = confirm()
    await untilBlocked(portal.pool)
    return { confirming: answer }
  })
  expect(await confirming).toMatchObject({ confirmed: 1 })
  const { rows } = await sql<{ vat_country: string }>`select vat_country from invoices
    where client_id = any(${[other.id, client.id]}::bigint[]) and kind = 'fiscal' order by id`.execute(db)
  expect(rows.map(({ vat_country }) => vat_country)).toEqual(['RO', 'DE'])
  await sql`update operator_profile set oss_registered = true`.execute(db)
})
