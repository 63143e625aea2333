import { base } from '@portico/contract/wire.ts'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { readingOn } from '#platform/jsonapi/explain.ts'
import { served as ours } from '#start/registry.ts'
import { makeAccount } from '#test/support/account.ts'
import { library, prepareLibrary, stock } from '#test/support/library.ts'
import { testPortal } from '#test/support/portal.ts'
import { transact } from './transact.ts'

const portal = await testPortal({ served: [...Object.values(ours), ...library], prepare: prepareLibrary })
const account = await makeAccount(portal.pool, { projects: 2, panels: 0 })
const me = portal.as(account)

test('of many concurrent creations with one name one is a 201 and the others are a 409 with the reason', async () => {
  for (const round of [1, 2, 3]) {
    const body = { data: { type: 'projects', attributes: { name: `Name ${round}` } } }
    const answers = await Promise.all(Array.from({ length: 8 }, () => me.post(`${base}/projects`, body)))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(7).fill(409)])
    const lost = answers.filter(({ status }) => status === 409)
    for (const answer of lost)
      expect(answer.faults).toEqual(['409 workspace_name_taken /data/attributes/name'])
  }
})

test('two transactions that block each other both succeed, because the one that is ended starts again', async () => {
  const [first = 0, second = 0] = account.projects
  const both = Promise.withResolvers<void>()
  let arrived = 0
  let attempts = 0
  const rename = (order: readonly number[]) =>
    transact(portal.pool.kysely, 'read write', async (tx) => {
      attempts += 1
      for (const id of order) {
        await sql`update projects set name = name || '!' where id = ${id}`.execute(tx)
        arrived += 1
        if (arrived === 2) both.resolve()
        // Each holds its first row before either asks for the second.
        await both.promise
      }
      return 'done'
    })
  expect(await Promise.all([rename([first, second]), rename([second, first])])).toEqual(['done', 'done'])
  // One of them is retried; on a busy machine both may be.
  expect([3, 4]).toContain(attempts)
  const names = (await me.get(`${base}/projects?filter[id]=${first},${second}`)).list.map(
    (one) => one.attributes?.name,
  )
  expect(names.sort()).toEqual(['Workspace 1!!', 'Workspace 2!!'])
})

test('a transaction that never succeeds is given up, and leaves nothing', async () => {
  let attempts = 0
  const work = transact(portal.pool.kysely, 'read write', async (tx) => {
    attempts += 1
    await sql`update projects set name = 'never' where id = ${account.projects[0]}`.execute(tx)
    await sql`do $$ begin raise exception using errcode = '40001'; end $$`.execute(tx)
  })
  await expect(work).rejects.toMatchObject({ code: '40001' })
  expect(attempts).toBe(4)
  expect((await me.get(`${base}/projects?filter[search]=never`)).page.total).toBe(0)
})

test('relationships that two requests move in opposite order end as one of the two wished', async () => {
  const { shelf, author, books } = await stock(portal.pool, account.id, 10)
  const data = books.map((id) => ({ type: 'books', id: String(id) }))
  const made = await me.post(`${base}/shelves`, { data: { type: 'shelves', attributes: { label: 'Other' } } })
  const url = (id: string) => `${base}/shelves/${id}/relationships/books`
  const answers = await Promise.all(
    [1, 2, 3, 4].flatMap(() => [
      me.patch(url(shelf), { data }),
      me.patch(url(made.one.id), { data: data.toReversed() }),
      me.patch(`${base}/authors/${author}/relationships/books`, { data: data.toReversed() }),
    ]),
  )
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
  const totals = [(await me.get(url(shelf))).page.total, (await me.get(url(made.one.id))).page.total]
  expect(totals.sort()).toEqual([0, 10])
})

test('the server logged no bug', () => {
  expect(portal.bugs).toEqual([])
})

test.each([
  ['int8', '99999999999999999999'],
  ['date', '0000-01-01'],
  ['timestamptz', 'yesterdayish'],
  ['text', 'a\u0000b'],
])(
  'a %s that the database cannot read is a bad parameter, and a bug of a statement stays one',
  async (type, value) => {
    const { run } = readingOn(portal.pool)
    await expect(run({ sql: `select $1::${type}`, values: [value] })).rejects.toMatchObject({
      status: 400,
      code: 'parameter_invalid',
    })
    await expect(run({ sql: 'select 1 / 0', values: [] })).rejects.toMatchObject({ code: '22012' })
  },
)
