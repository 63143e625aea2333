import { base } from '@portico/contract/wire.ts'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { makeAccount } from '#test/support/account.ts'
import { makeDocuments } from '#test/support/documents.ts'
import { untilBlocked } from '#test/support/lock-wait.ts'
import { makePayment } from '#test/support/payment.ts'
import { testPortal } from '#test/support/portal.ts'
import { makeMember } from '#test/support/staff.ts'
import { makeAdmin, makeTicket } from '#test/support/ticket.ts'

const portal = await testPortal()
const { pool } = portal
const db = pool.kysely
const support = portal.staff(await makeAdmin(pool, 'support'))
const billing = portal.staff(await makeAdmin(pool, 'billing'))
const admin = portal.staff(await makeAdmin(pool, 'admin'))
const ana = await makeAccount(pool, { projects: 1, panels: 2 })
const owing = await makeAccount(pool, {
  projects: 1,
  panels: 1,
  currency: 'EUR',
  opening: { balance: '-7.25', credit: '0', on: '2026-01-01' },
})
await sql`update clients set first_name = 'Ștefan', last_name = 'Mărăcineanu' where id = ${owing.id}`.execute(
  db,
)
await sql`update client_entities set company_name = 'Lumen_Studio SRL', vat_number = 'RO123456' where client_id = ${owing.id}`.execute(
  db,
)
await makeMember(pool, 'support')

const ids = async (query: string, reader = support) =>
  (await reader.get(`${base}/desk-clients?${query}`)).list.map(({ id }) => Number(id))

test('a client is listed with what they have and owe; members of staff are none', async () => {
  const { list, page } = await support.get(`${base}/desk-clients`)
  expect(page.total).toBe(2)
  expect(list.map(({ id }) => Number(id))).toEqual([owing.id, ana.id])
  expect(list[0]?.attributes).toMatchObject({
    last_name: 'Mărăcineanu',
    company_name: 'Lumen_Studio SRL',
    country: 'RO',
    currency: 'EUR',
    available: -7.25,
    panels: 1,
    open_tickets: 0,
    daily_use: 0,
    last_sign_in_at: null,
  })
})

test.each([
  ['filter[search]=stefan maraci'],
  ['filter[search]=STEFAN'],
  ['filter[search]=lumen_s'],
  ['filter[search]=ro123456'],
  ['filter[search]=RO 123 456'],
  ['filter[search]=123 456'],
  ['filter[owing]=true'],
  ['filter[currency]=EUR'],
  ['sort=last_name&page[size]=1'],
])('%s finds the one that it is about', async (query) => {
  expect(await ids(query)).toEqual([owing.id])
})

test('a search takes % and _ as they are, and filters exclude', async () => {
  for (const query of ['filter[search]=%25%25%25', 'filter[search]=lumen%25', 'filter[search]=_umen'])
    expect(await ids(query)).toEqual([])
  expect(await ids('filter[owing]=false')).toEqual([ana.id])
  expect(await ids('filter[trial]=true')).toEqual([])
  expect(await ids('filter[status]=4')).toEqual([])
  expect(await ids('filter[country]=DE')).toEqual([])
})

test('a search of fewer than three letters is refused, because no index answers it', async () => {
  expect((await support.get(`${base}/desk-clients?filter[search]=an`)).status).toBe(400)
  expect((await support.get(`${base}/desk-home/-actions/find?payload[search]=an`)).status).toBe(400)
})

test('pages beyond the first hold what is theirs', async () => {
  expect(await ids('page[size]=1&page[number]=2')).toEqual([ana.id])
  expect(await ids('page[size]=1&page[number]=2&sort=createdAt')).toEqual([owing.id])
})

test('each role is told whether money and the log are for it, and counts the tickets that it sees', async () => {
  await makeTicket(pool, { client: ana.id })
  await makeTicket(pool, { client: ana.id, department: 'billing' })
  const seen = async (reader: typeof support) => {
    const { attributes, meta } = (await reader.get(`${base}/desk-clients/${ana.id}`)).one
    return [attributes?.open_tickets, meta?.may?.readCards, meta?.may?.readLog]
  }
  expect(await seen(support)).toEqual([2, false, false])
  expect(await seen(billing)).toEqual([1, true, false])
  expect(await seen(admin)).toEqual([2, true, true])
})

type Found = { found: string; id: number; client_id: number; title: string; about: string }
const find = async (text: string, reader = admin) => {
  const answer = await reader.get(
    `${base}/desk-home/-actions/find?payload=${encodeURIComponent(JSON.stringify({ search: text }))}`,
  )
  expect(answer.status).toBe(200)
  return (answer.json as { found: Found[] }).found
}

test('a search finds what is called so, of every kind, with whose it is', async () => {
  const { transactions, cards } = await makePayment(pool, ana.id)
  await makeDocuments(pool, ana)
  const { ticket } = await makeTicket(pool, { client: owing.id })
  await sql`update panels set name = 'Grădina', domain = 'lumen.example' where id = ${owing.panels[0]}`.execute(
    db,
  )
  await sql`update panel_resources set name = 'shop.lumen.example' where kind = 'domain' and external_id = 'domain1'
    and panel_id = ${owing.panels[0]}`.execute(db)
  await sql`update panel_resources set spec = spec || '{"ipv4": "203.0.113.7"}' where kind = 'server'
    and external_id = 'server1' and panel_id = ${owing.panels[0]}`.execute(db)
  const { rows } = await sql<{
    number: string
    ref: string
    document: string
  }>`select t.number, p.provider_ref as ref,
      (select min(full_number) from invoices where client_id = ${ana.id}) as document
    from tickets t, payments p where t.id = ${ticket} and p.id = ${transactions}`.execute(db)
  const [made] = rows
  const ofAna = ['payment', 'document', 'card']
  const cases: [string, string, number | undefined][] = [
    ['Lumen_Studio', 'client', owing.id],
    ['RO 123456', 'client', owing.id],
    ['gradina', 'panel', owing.panels[0]],
    ['shop.lumen', 'domain', undefined],
    ['203.0.113.7', 'server', undefined],
    [made?.number.toLowerCase() ?? '', 'ticket', ticket],
    [made?.number.slice(2) ?? '', 'ticket', ticket],
    [made?.ref ?? '', 'payment', transactions],
    [made?.document.toLowerCase() ?? '', 'document', undefined],
    ['3184', 'card', cards],
  ]
  for (const [text, kind, id] of cases) {
    const [first, ...others] = await find(text)
    expect([text, others.length, first]).toMatchObject([
      text,
      0,
      { found: kind, client_id: ofAna.includes(kind) ? ana.id : owing.id, ...(id !== undefined && { id }) },
    ])
  }
  expect((await find('lumen.example')).map(({ found }) => found)).toEqual(['panel', 'domain'])
})

test('a search shows five of a kind, no staff, no card to support, and no ticket beyond the reader’s departments', async () => {
  for (let made = 0; made < 6; made++) await makeAccount(pool, { projects: 0, panels: 0 })
  const clients = (await find('ana pop')).filter(({ found }) => found === 'client')
  expect(clients).toHaveLength(5)
  expect(clients[0]?.about).toMatch(/@example\.com$/)
  expect(await find('staff.example')).toEqual([])
  expect(await find('3184', support)).toEqual([])
  const { ref } = await db
    .selectFrom('payments')
    .select('provider_ref as ref')
    .where('client_id', '=', ana.id)
    .executeTakeFirstOrThrow()
  for (const reader of [support, billing])
    expect(await find(ref ?? '', reader)).toMatchObject([{ found: 'payment' }])
  const { ticket } = await makeTicket(pool, { client: ana.id })
  const { number } = await db
    .selectFrom('tickets')
    .select('number')
    .where('id', '=', ticket)
    .executeTakeFirstOrThrow()
  expect(await find(number, billing)).toEqual([])
  expect(await find(number, support)).toHaveLength(1)
})

test('the searches use their indexes', async () => {
  await db.transaction().execute(async (one) => {
    // Without these the planner has only the indexes of texts, as it would choose them in tables that are not tiny.
    await sql`set local enable_seqscan = off`.execute(one)
    await sql`set local enable_indexscan = off`.execute(one)
    const explained = async (statement: string) => {
      const { rows } = await sql<{ 'QUERY PLAN': string }>`${sql.raw(`explain ${statement}`)}`.execute(one)
      return rows.map((row) => row['QUERY PLAN']).join('\n')
    }
    const like = "search_text like (select '%' || search_fold('lumen') || '%')"
    expect(
      await explained(`select id from clients where ${like} and ${like} order by created_at limit 25`),
    ).toContain('clients_by_search_text')
  })
})

test('a client is found by what they are called now, and by nothing of before', async () => {
  const lia = await makeAccount(pool, { projects: 1, panels: 0 })
  const found = (text: string) => ids(`filter[search]=${encodeURIComponent(text)}`)
  const updatedAt = async () =>
    (await db.selectFrom('clients').select('updated_at').where('id', '=', lia.id).executeTakeFirstOrThrow())
      .updated_at
  await sql`update clients set last_name = 'Țurcanu' where id = ${lia.id}`.execute(db)
  expect(await found('turcanu')).toEqual([lia.id])
  const before = await updatedAt()
  await sql`insert into client_entities (client_id, account_type, company_name, vat_number)
    values (${lia.id}, 1, 'Brad & Asociații', 'ATU12345678')
    on conflict (client_id) do update set company_name = excluded.company_name, vat_number = excluded.vat_number`.execute(
    db,
  )
  for (const text of ['brad & asociatii', 'atu 1234 5678', 'turcanu'])
    expect(await found(text)).toEqual([lia.id])
  expect(await updatedAt()).toBe(before)

  await sql`update client_entities set company_name = null, vat_number = null where client_id = ${lia.id}`.execute(
    db,
  )
  await sql`update clients set last_name = 'Pop' where id = ${lia.id}`.execute(db)
  for (const text of ['brad & asociatii', 'atu12345678', 'turcanu']) expect(await found(text)).toEqual([])
  expect(await updatedAt()).not.toBe(before)
})

test('a name and a company that are written at the same moment are both found', async () => {
  const lia = await makeAccount(pool, { projects: 1, panels: 0 })
  await sql`insert into client_entities (client_id, account_type) values (${lia.id}, 1) on conflict do nothing`.execute(
    db,
  )
  let company: Promise<unknown> = Promise.resolve()
  await db.transaction().execute(async (tx) => {
    await sql`update clients set last_name = 'Zamfirescu' where id = ${lia.id}`.execute(tx)
    company = sql`update client_entities set company_name = 'Zorile SRL' where client_id = ${lia.id}`.execute(
      db,
    )
    await untilBlocked(pool)
  })
  await company
  expect(await ids('filter[search]=zamfirescu')).toEqual([lia.id])
  expect(await ids('filter[search]=zorile')).toEqual([lia.id])
})

test('nothing was a bug', () => {
  expect(portal.bugs).toEqual([])
})
