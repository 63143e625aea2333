import { base } from '@portico/contract/wire.ts'
import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { testPortal } from '#test/support/portal.ts'
import { makeAdmin } from '#test/support/ticket.ts'

const portal = await testPortal()
const db = portal.pool.kysely
const admin = portal.staff(await makeAdmin(portal.pool, 'admin'))
const most = 2130

beforeAll(async () => {
  // Many share their name, and some their moment.
  await sql`insert into clients (email, first_name, last_name, language_id, currency_id, status, created_at)
    select 'deep' || n || '@example.test', 'Deep', 'Name ' || n % 7, 1, 1, 1, now() - (n / 3) * interval '1 minute'
    from generate_series(1, ${most}::int) n`.execute(db)
})

const page = (sort: string, number: number) =>
  admin.get(`${base}/desk-clients?filter[search]=deep&sort=${sort}&page[size]=100&page[number]=${number}`)

test.each([
  ['last_name', sql`last_name, id`],
  ['-last_name', sql`last_name desc, id desc`],
  ['-createdAt', sql`created_at desc, id desc`],
])('pages in the order %s have every row once, whichever end they are read from', async (sort, order) => {
  const { rows } = await sql<{
    id: number
  }>`select id from clients where first_name = 'Deep' order by ${order}`.execute(db)
  const ids: string[] = []
  for (let number = 1; number <= 22; number++) {
    const { list, page: about } = await page(sort, number)
    expect(about).toMatchObject({ number, total: most, pages: 22 })
    ids.push(...list.map(({ id }) => id))
  }
  expect(ids).toEqual(rows.map(({ id }) => String(id)))
})

test('a page behind the last one is empty, and has the total', async () => {
  const { status, list, page: about } = await page('last_name', 40)
  expect([status, list, about.total]).toEqual([200, [], most])
})
