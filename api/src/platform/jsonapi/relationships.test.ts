import fs from 'node:fs'
import path from 'node:path'
import { base } from '@portico/contract/wire.ts'
import { beforeEach, expect, test } from 'vitest'
import type { ServedRow } from '#platform/db/pool.ts'
import { served as ours } from '#start/registry.ts'
import { makeAccount } from '#test/support/account.ts'
import type { Identifier } from '#test/support/answer.ts'
import { type Library, library, prepareLibrary, stock } from '#test/support/library.ts'
import { testPortal, type Visitor } from '#test/support/portal.ts'
import { assertDocument, assertErrors } from '#test/support/structure.ts'
import { makeTicket } from '#test/support/ticket.ts'

/** The changes passed to the hook of books, by key. */
const changes: unknown[] = []
const watched = library.map((served) => {
  if (served.contract.type !== 'books') return served
  const updated = async (_: unknown, row: ServedRow, before: ServedRow) => {
    changes.push({ id: row.id, from: before.shelf_id, to: row.shelf_id })
  }
  return { ...served, binding: { ...served.binding, updated } }
})

const portal = await testPortal({ served: watched, prepare: prepareLibrary })
let me: Visitor = portal.nobody
let ownerId = 0
let mine: Library = { shelf: '', author: 0, books: [] }
let theirs: Library = mine

beforeEach(async () => {
  changes.length = 0
  ownerId = (await makeAccount(portal.pool, { projects: 0 })).id
  me = portal.as(ownerId)
  mine = await stock(portal.pool, ownerId, 5)
  theirs = await stock(portal.pool, (await makeAccount(portal.pool, { projects: 0 })).id, 2)
})

const book = (at: number, of = mine): Identifier => ({ type: 'books', id: String(of.books[at]) })
const onShelf = () => `${base}/shelves/${mine.shelf}/relationships/books`
const ofBook = (at: number, name: string) => `${base}/books/${mine.books[at]}/relationships/${name}`
const ids = (all: readonly Identifier[]) => all.map(({ id }) => Number(id)).sort((a, b) => a - b)
const shelved = async () => ids((await me.get(onShelf())).list)

test('a to-one is read, set and emptied', async () => {
  const url = ofBook(0, 'shelf')
  const empty = await me.get(url)
  assertDocument(empty)
  expect(empty.document).toMatchObject({
    data: null,
    links: { self: url, related: `${base}/books/${mine.books[0]}/shelf` },
  })
  expect((await me.get(`${base}/books/${mine.books[0]}/shelf`)).document.data).toBeNull()
  const set = await me.patch(url, { data: { type: 'shelves', id: mine.shelf } })
  assertDocument(set)
  expect([set.status, set.document.data]).toEqual([200, { type: 'shelves', id: mine.shelf }])
  expect((await me.get(url)).text).toBe(set.text)
  expect((await me.get(`${base}/books/${mine.books[0]}/shelf`)).one.id).toBe(mine.shelf)
  expect((await me.patch(url, { data: null })).document.data).toBeNull()
  expect((await me.get(url)).document.data).toBeNull()
})

test('a to-one whose key the other row holds is set and emptied the same way', async () => {
  const url = `${base}/authors/${mine.author}/relationships/badge`
  const first = (await me.get(url)).document.data
  expect(first).toMatchObject({ type: 'badges' })
  const made = await me.post(`${base}/badges`, { data: { type: 'badges', attributes: { text: 'New' } } })
  const second = { type: 'badges', id: made.one.id }
  expect((await me.patch(url, { data: second })).document.data).toEqual(second)
  const author = await me.get(`${base}/badges/${made.one.id}/author`)
  expect(author.one.id).toBe(String(mine.author))
  const resource = { type: 'authors', id: String(mine.author), relationships: { badge: { data: first } } }
  const patched = await me.patch(`${base}/authors/${mine.author}?include=badge`, { data: resource })
  expect(patched.one.relationships?.badge?.data).toEqual(first)
  expect((await me.patch(url, { data: null })).document.data).toBeNull()
})

test('a to-many is added to, taken from and replaced', async () => {
  expect(await shelved()).toEqual(ids([book(1), book(3)]))
  const added = await me.post(onShelf(), { data: [book(0), book(1)] })
  assertDocument(added)
  expect([added.status, ids(added.list)]).toEqual([200, ids([book(0), book(1), book(3)])])
  expect((await me.post(onShelf(), { data: [book(0), book(0)] })).page.total).toBe(3)
  expect(ids((await me.delete(onShelf(), { data: [book(0), book(2)] })).list)).toEqual(
    ids([book(1), book(3)]),
  )
  expect(ids((await me.delete(onShelf(), { data: [book(0)] })).list)).toEqual(ids([book(1), book(3)]))
  expect(ids((await me.patch(onShelf(), { data: [book(4), book(3)] })).list)).toEqual(ids([book(3), book(4)]))
  expect((await me.patch(onShelf(), { data: [] })).list).toEqual([])
  expect((await me.post(onShelf(), { data: [] })).list).toEqual([])
})

test('a resource’s PATCH replaces its to-many', async () => {
  const body = { data: { type: 'shelves', id: mine.shelf, relationships: { books: { data: [book(0)] } } } }
  const answer = await me.patch(`${base}/shelves/${mine.shelf}?include=books`, body)
  expect(answer.one.relationships?.books?.data).toEqual([book(0)])
})

test('members that cannot be alone are moved, never set free', async () => {
  const url = `${base}/authors/${mine.author}/relationships/books`
  const other = await me.post(`${base}/authors`, {
    data: { type: 'authors', attributes: { name: 'Octavia' } },
  })
  assertErrors(await me.delete(url, { data: [book(0)] }), 403, ['403 members_bound'])
  assertErrors(await me.patch(url, { data: [] }), 403, ['403 members_bound'])
  const moved = await me.post(`${base}/authors/${other.one.id}/relationships/books`, { data: [book(0)] })
  expect(ids(moved.list)).toEqual(ids([book(0)]))
  expect(ids((await me.get(url)).list)).toEqual(ids([book(1), book(2), book(3), book(4)]))
})

test('an invisible row cannot be added, and looks like an absent one', async () => {
  const hidden = await me.post(onShelf(), { data: [book(0), book(0, theirs)] })
  const absent = await me.post(onShelf(), { data: [book(0), { type: 'books', id: '999999999' }] })
  assertErrors(hidden, 404, ['404 not_found /data/1'])
  expect(hidden.text).toBe(absent.text)
  expect(await shelved()).toEqual(ids([book(1), book(3)]))
})

test('members one sees but may not change stay where they are', async () => {
  const owner = { id: ownerId }
  const guest = await makeAccount(portal.pool, { projects: 0 })
  await portal.share(owner, guest)
  const own = await stock(portal.pool, guest.id, 1)
  const url = `${base}/shelves/${own.shelf}/relationships/books`
  assertErrors(await portal.as(guest).post(url, { data: [book(0)] }), 403, ['403 owner_only'])
  assertErrors(await portal.as(guest).post(onShelf(), { data: [book(0, own)] }), 403, ['403 owner_only'])
  expect(await shelved()).toEqual(ids([book(1), book(3)]))
})

test.each<[string, unknown, number, string]>([
  ['one identifier', { data: { type: 'books', id: '1' } }, 400, '400 identifiers_expected /data'],
  ['null', { data: null }, 400, '400 identifiers_expected /data'],
  ['no data', { meta: {} }, 400, '400 body_not_document '],
  ['another type', { data: [{ type: 'shelves', id: 's' }] }, 409, '409 type_mismatch /data/0/type'],
  ['no type', { data: [{ id: '1' }] }, 400, '400 resource_type_missing /data/0/type'],
  ['a number as id', { data: [{ type: 'books', id: 1 }] }, 400, '400 resource_id_missing /data/0/id'],
  ['text', { data: ['books'] }, 400, '400 identifier_expected /data/0'],
  [
    'too many',
    { data: Array.from({ length: 101 }, () => ({ type: 'books', id: '1' })) },
    400,
    '400 identifiers_most /data',
  ],
])('a to-many does not take %s', async (_what, body, status, fault) => {
  for (const method of ['POST', 'PATCH', 'DELETE'] as const)
    assertErrors(await me.call(method, onShelf(), { body }), status, [fault])
  expect(await shelved()).toEqual(ids([book(1), book(3)]))
})

test.each<[string, unknown, number, string]>([
  ['a list', { data: [] }, 400, '400 identifier_expected /data'],
  ['nothing', { data: null }, 422, '422 relationship_empty /data'],
  ['another type', { data: { type: 'books', id: '1' } }, 409, '409 type_mismatch /data/type'],
  ['one that is absent', { data: { type: 'authors', id: '999999999' } }, 404, '404 not_found /data'],
])('a required to-one does not take %s', async (_what, body, status, fault) => {
  assertErrors(await me.patch(ofBook(0, 'author'), body), status, [fault])
  expect((await me.get(ofBook(0, 'author'))).document.data).toEqual({
    type: 'authors',
    id: String(mine.author),
  })
})

test('a linkage has pages, sorts and filters; their links lead through all of it', async () => {
  const seen: string[] = []
  let url: string | null | undefined =
    `${base}/authors/${mine.author}/relationships/books?page[size]=2&sort=-title`
  while (url) {
    const answer = await me.get(url)
    assertDocument(answer)
    seen.push(...answer.list.map(({ id }) => id))
    url = answer.document.links?.next
  }
  expect(seen).toEqual(mine.books.map(String).toReversed())
  const found = await me.get(`${base}/authors/${mine.author}/relationships/books?filter[title]=Book%203`)
  expect(found.list).toEqual([book(2)])
  const related = await me.get(
    `${base}/authors/${mine.author}/books?filter[title]=Book%203&include=shelf&fields[books]=title,shelf`,
  )
  expect(related.list.map(({ id }) => id)).toEqual([book(2).id])
})

test('a linkage takes no include, and a write of one no parameters', async () => {
  assertErrors(await me.get(`${ofBook(0, 'shelf')}?include=shelf`), 400, ['400 parameter_unknown include'])
  assertErrors(await me.get(`${onShelf()}?fields[books]=title`), 400, ['400 parameter_unknown fields[books]'])
  assertErrors(await me.patch(`${ofBook(0, 'shelf')}?sort=id`, { data: null }), 400, [
    '400 parameter_unknown sort',
  ])
})

test('hidden rows are no members: neither in linkage nor in includes nor in totals', async () => {
  const guest = await makeAccount(portal.pool, { projects: 0 })
  const own = await stock(portal.pool, guest.id, 3)
  await portal.share({ id: ownerId }, guest)
  await portal.as(guest).post(`${base}/shelves/${own.shelf}/relationships/books`, { data: [book(0, own)] })
  // A book of the guest's moves to the owner's author: the owner does not see it there, but the guest does.
  const body = { data: { type: 'authors', id: String(mine.author) } }
  const url = `${base}/books/${own.books[0]}/relationships/author`
  expect((await portal.as(guest).patch(url, body)).status).toBe(200)
  const seenBy = async (visitor: Visitor) => {
    const linkage = await visitor.get(`${base}/authors/${mine.author}/relationships/books`)
    const compound = await visitor.get(`${base}/authors/${mine.author}?include=books`)
    expect(ids([compound.one.relationships?.books?.data ?? []].flat())).toEqual(ids(linkage.list))
    return [linkage.page.total, compound.included.length]
  }
  expect(await seenBy(me)).toEqual([5, 5])
  expect(await seenBy(portal.as(guest))).toEqual([6, 6])
})

test('the server logged no bug', () => {
  expect(portal.bugs).toEqual([])
})

test('the hooks of a row also run when it is moved from the other end', async () => {
  const [first, second] = mine.books
  await me.patch(ofBook(0, 'shelf'), { data: { type: 'shelves', id: mine.shelf } })
  expect(changes).toEqual([{ id: first, from: null, to: mine.shelf }])
  // The first is there already, so only the second goes.
  await me.patch(onShelf(), { data: [book(0)] })
  expect(changes.slice(1)).toContainEqual({ id: second, from: mine.shelf, to: null })
  expect(changes.slice(1)).not.toContainEqual(expect.objectContaining({ id: first }))
  const before = changes.length
  await me.post(onShelf(), { data: [book(0), book(1)] })
  expect(changes.slice(before)).toEqual([{ id: second, from: null, to: mine.shelf }])
})

test('decision 0031 lists every relationship address that can be written, and no other', () => {
  const page = path.join(import.meta.dirname, '../../../../docs/decisions/0031-writable-relationships.md')
  const listed = [...fs.readFileSync(page, 'utf8').matchAll(/^\| `(.+?)` \| (.+?) \|/gm)]
  const writable = Object.values(ours).flatMap(({ contract: { type, update, relationships } }) =>
    Object.entries(relationships)
      .filter(([name]) => update.includes(name))
      .map(([name, { kind }]) => [
        `${type}/{id}/relationships/${name}`,
        kind === 'to-many' ? 'PATCH, POST, DELETE' : 'PATCH',
      ]),
  )
  expect(listed.map(([, address, methods]) => [address, methods]).sort()).toEqual(writable.sort())
})

test('the addresses of a ticket are changed by rows of their own, not through its relationship', async () => {
  const real = await testPortal()
  const owner = await makeAccount(real.pool, { projects: 1, panels: 1 })
  const { ticket, notified, email } = await makeTicket(real.pool, { client: owner.id })
  const visitor = real.as(owner)
  const url = `${base}/tickets/${ticket}/relationships/ticketTicketEmails`
  const data = [{ type: 'ticket-ticket-emails', id: String(notified) }]
  assertErrors(await visitor.post(url, { data }), 403, ['403 relationship_not_offered'])
  assertErrors(await visitor.delete(url, { data }), 403, ['403 relationship_not_offered'])
  expect((await visitor.delete(`${base}/ticket-ticket-emails/${notified}`)).status).toBe(204)
  const added = await visitor.post(`${base}/ticket-ticket-emails`, {
    data: {
      type: 'ticket-ticket-emails',
      relationships: {
        ticket: { data: { type: 'tickets', id: String(ticket) } },
        ticketEmail: { data: { type: 'ticket-emails', id: String(email) } },
      },
    },
  })
  expect(added.status).toBe(201)
  expect(ids((await visitor.get(url)).list)).toEqual([Number(added.one.id)])
})
