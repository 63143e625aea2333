import { base } from '@portico/contract/wire.ts'
import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { makeAccount } from '#test/support/account.ts'
import { type Library, library, prepareLibrary, stock } from '#test/support/library.ts'
import { testPortal } from '#test/support/portal.ts'
import { assertDocument, assertErrors } from '#test/support/structure.ts'

const portal = await testPortal({ served: library, prepare: prepareLibrary })
const books = `${base}/books`
let owner = { id: 0 }
let guest = { id: 0 }
let stocked: Library = { shelf: '', author: 0, books: [] }
let foreign: Library = stocked

beforeEach(async () => {
  owner = await makeAccount(portal.pool, { projects: 0 })
  guest = await makeAccount(portal.pool, { projects: 0 })
  stocked = await stock(portal.pool, owner.id)
  foreign = await stock(portal.pool, (await makeAccount(portal.pool, { projects: 0 })).id)
})

const author = (id: number | string) => ({ data: { type: 'authors', id: String(id) } })
const shelf = (id: string) => ({ data: { type: 'shelves', id } })
const newBook = (
  attributes: object = { title: 'New' },
  relationships: object = { author: author(stocked.author) },
) => ({
  data: { type: 'books', attributes, relationships },
})
const count = async (table: string) => {
  const { rows } = await sql<{ count: number }>`select count(*) from ${sql.table(table)}`.execute(
    portal.pool.kysely,
  )
  return rows[0]?.count
}

test('creates: 201 with Location, the same resource a read shows', async () => {
  const me = portal.as(owner)
  const answer = await me.post(books, newBook({ title: '  Tehanu ', pages: 252, price: 12.125 }))
  expect(answer.status).toBe(201)
  assertDocument(answer)
  expect(answer.header('location')).toBe(`${books}/${answer.one.id}`)
  expect(answer.one.links?.self).toBe(answer.header('location'))
  expect(answer.one.attributes).toMatchObject({
    title: 'Tehanu',
    pages: 252,
    price: 12.125,
    status: 'in',
    title_length: 6,
  })
  expect((await me.get(`${books}/${answer.one.id}`)).one).toEqual(answer.one)
})

test('creates with what it relates to, and shows it when asked', async () => {
  const body = newBook(
    { title: 'On the shelf' },
    { author: author(stocked.author), shelf: shelf(stocked.shelf) },
  )
  const answer = await portal.as(owner).post(`${books}?include=shelf,author&fields[books]=title,shelf`, body)
  expect(answer.status).toBe(201)
  expect(answer.included.map(({ type }) => type).sort()).toEqual(['authors', 'shelves'])
  expect(answer.one.relationships?.shelf?.data).toEqual({ type: 'shelves', id: stocked.shelf })
  expect(Object.keys(answer.one.attributes ?? {})).toEqual(['title'])
})

test('creates with the members of a to-many relationship', async () => {
  const data = stocked.books.slice(0, 2).map((id) => ({ type: 'books', id: String(id) }))
  const body = { data: { type: 'shelves', attributes: { label: 'Low' }, relationships: { books: { data } } } }
  const answer = await portal.as(owner).post(`${base}/shelves?include=books`, body)
  expect(answer.status).toBe(201)
  expect(answer.one.relationships?.books?.data).toEqual(data)
})

test('every fault of a document is reported at once, each at its place', async () => {
  const answer = await portal
    .as(owner)
    .post(books, newBook({ title: ' ', pages: 0, price: 'much', colour: 'red', status: 'out' }, {}))
  assertErrors(answer, 400, [
    '422 name_required /data/attributes/title',
    '422 number_least /data/attributes/pages',
    '422 value_not_number /data/attributes/price',
    '422 attribute_unknown /data/attributes/colour',
    '403 field_not_offered /data/attributes/status',
    '422 relationship_required /data/relationships/author',
  ])
  assertErrors(await portal.as(owner).post(books, newBook({ title: '', 'a/b~c': 1 })), 422, [
    '422 name_required /data/attributes/title',
    '422 attribute_unknown /data/attributes/a~1b~0c',
  ])
  expect(answer.errors[0]?.detail).toBe('A name is required')
})

test.each<[string, unknown, number, string[]]>([
  ['no document', '', 400, ['400 body_not_document ']],
  ['no JSON', '{"data":', 400, ['400 malformed_json']],
  ['a list', [], 400, ['400 body_not_document ']],
  ['no data', { meta: {} }, 400, ['400 body_not_document ']],
  ['null', { data: null }, 400, ['400 resource_expected /data']],
  ['several resources', { data: [newBook().data] }, 400, ['400 resource_expected /data']],
  ['no type', { data: { attributes: { title: 'x' } } }, 400, ['400 resource_type_missing /data/type']],
  ['another type', { data: { type: 'shelves', attributes: {} } }, 409, ['409 type_mismatch /data/type']],
  ['an id', { data: { type: 'books', id: '5' } }, 403, ['403 client_generated_id /data/id']],
  [
    'attributes that are a list',
    { data: { type: 'books', attributes: [] } },
    400,
    ['400 member_not_object /data/attributes'],
  ],
  [
    'relationships that are text',
    { data: { type: 'books', relationships: 'x' } },
    400,
    ['400 member_not_object /data/relationships'],
  ],
])('refuses to create from %s', async (_what, body, status, faults) => {
  const before = await count('books')
  assertErrors(await portal.as(owner).post(books, body), status, faults)
  expect(await count('books')).toBe(before)
})

test.each<[string, unknown, number, string]>([
  ['nothing', null, 422, '422 relationship_empty /data/relationships/author'],
  ['a list', [], 400, '400 identifier_expected /data/relationships/author/data'],
  [
    'another type',
    { type: 'shelves', id: '1' },
    409,
    '409 type_mismatch /data/relationships/author/data/type',
  ],
  [
    'a number as id',
    { type: 'authors', id: 1 },
    400,
    '400 resource_id_missing /data/relationships/author/data/id',
  ],
  [
    'one that is absent',
    { type: 'authors', id: '999999999' },
    404,
    '404 not_found /data/relationships/author/data',
  ],
  ['one that cannot be', { type: 'authors', id: 'x' }, 404, '404 not_found /data/relationships/author/data'],
])('a required to-one does not take %s', async (_what, data, status, fault) => {
  assertErrors(await portal.as(owner).post(books, newBook({ title: 'x' }, { author: { data } })), status, [
    fault,
  ])
})

test('a row of another account is as absent as one that does not exist', async () => {
  const hidden = await portal
    .as(owner)
    .post(books, newBook({ title: 'x' }, { author: author(foreign.author) }))
  const absent = await portal.as(owner).post(books, newBook({ title: 'x' }, { author: author(999_999_999) }))
  expect([hidden.status, hidden.text]).toEqual([404, absent.text])
})

test('members that JSON:API does not know, and @-members, are not read', async () => {
  const { data } = newBook({ title: 'x', '@context': 'y' })
  const answer = await portal
    .as(owner)
    .post(books, { '@ld': 1, data: { ...data, '@ld': 1, extra: {}, lid: 'a' }, more: [] })
  expect(answer.status).toBe(201)
})

test('changes only what is sent', async () => {
  const me = portal.as(owner)
  const url = `${books}/${stocked.books[0]}`
  const before = (await me.get(url)).one
  const answer = await me.patch(url, { data: { type: 'books', id: before.id, attributes: { pages: null } } })
  expect(answer.status).toBe(200)
  assertDocument(answer)
  expect(answer.one.attributes).toEqual({ ...before.attributes, pages: null })
  expect((await me.get(url)).one).toEqual(answer.one)
})

test('a fault in a field does not hide that one with a shorter name is missing', async () => {
  const answer = await portal.as(owner).post(books, newBook({ title_length: 3 }))
  expect(answer.faults).toEqual([
    '403 field_not_offered /data/attributes/title_length',
    '422 name_required /data/attributes/title',
  ])
})

test('so may its relationships, with their data or folded in among the attributes', async () => {
  const me = portal.as(owner)
  const url = `${base}/authors/${stocked.author}`
  const { one } = await me.get(`${url}?include=badge,books`)
  const folded = { name: 'Folded', books: { links: one.relationships?.books?.links } }
  expect((await me.patch(url, { data: { ...one, attributes: folded } })).one.attributes?.name).toBe('Folded')
  const made = await me.post(books, newBook({ title: 'x', shelf: { links: {} } }))
  expect(made.status).toBe(201)
  const wrong = { data: { type: 'authors', id: one.id, attributes: { books: [] } } }
  assertErrors(await me.patch(url, wrong), 422, ['422 attribute_unknown /data/attributes/books'])
})

test('a whole record may come back as it was read', async () => {
  const me = portal.as(owner)
  const { one } = await me.get(`${books}/${stocked.books[1]}?include=author,shelf`)
  const attributes = { ...one.attributes, title: 'Changed', legacy: 'from an older client' }
  const answer = await me.patch(`${books}/${one.id}`, { data: { ...one, attributes } })
  expect([answer.status, answer.one.attributes?.title]).toEqual([200, 'Changed'])
})

test.each<[string, (id: string) => unknown, number, string]>([
  ['no id', () => ({ type: 'books' }), 400, '400 resource_id_missing /data/id'],
  ['a number as id', (id) => ({ type: 'books', id: Number(id) }), 400, '400 resource_id_missing /data/id'],
  ['another id', () => ({ type: 'books', id: '1' }), 409, '409 id_mismatch /data/id'],
  ['another type', (id) => ({ type: 'authors', id }), 409, '409 type_mismatch /data/type'],
  [
    'a fixed attribute',
    (id) => ({ type: 'books', id, attributes: { createdAt: 'x' } }),
    403,
    '403 field_not_offered /data/attributes/createdAt',
  ],
  [
    'a wrong value',
    (id) => ({ type: 'books', id, attributes: { pages: 1.5 } }),
    422,
    '422 value_not_whole /data/attributes/pages',
  ],
  [
    'no value where one must be',
    (id) => ({ type: 'books', id, attributes: { title: null } }),
    422,
    '422 name_required /data/attributes/title',
  ],
  [
    'a relationship without data',
    (id) => ({ type: 'books', id, relationships: { shelf: {} } }),
    400,
    '400 relationship_data_missing /data/relationships/shelf',
  ],
  [
    'an unknown relationship',
    (id) => ({ type: 'books', id, relationships: { x: { data: null } } }),
    422,
    '422 relationship_unknown /data/relationships/x',
  ],
])('refuses to change by %s', async (_what, data, status, fault) => {
  const url = `${books}/${stocked.books[3]}`
  const before = (await portal.as(owner).get(url)).text
  assertErrors(await portal.as(owner).patch(url, { data: data(String(stocked.books[3])) }), status, [fault])
  expect((await portal.as(owner).get(url)).text).toBe(before)
})

test('a database constraint is reported in the client’s terms', async () => {
  const body = { data: { type: 'shelves', attributes: { label: 'Top' } } }
  const answer = await portal.as(owner).post(`${base}/shelves`, body)
  assertErrors(answer, 409, ['409 value_taken /data/attributes/label'])
  expect(answer.errors[0]?.detail).toBe('This value is already taken.')
  const kept = await portal.as(owner).delete(`${base}/authors/${stocked.author}`)
  assertErrors(kept, 409, ['409 reference_broken'])
})

test('deletes: 204 without a body, and 404 from then on', async () => {
  const me = portal.as(owner)
  const url = `${books}/${stocked.books[0]}`
  const answer = await me.delete(url)
  expect([answer.status, answer.text, answer.header('content-type')]).toEqual([204, '', undefined])
  assertErrors(await me.get(url), 404)
  assertErrors(await me.delete(url), 404)
})

test('seen but not one’s own: 403 with the reason that meta.denied shows', async () => {
  await portal.share(owner, guest)
  const url = `${books}/${stocked.books[0]}`
  const seen = (await portal.as(guest).get(url)).one
  expect(seen.meta?.may).toMatchObject({ update: false, delete: false, lend: false })
  const body = { data: { type: 'books', id: seen.id, attributes: { title: 'Mine' } } }
  for (const answer of [await portal.as(guest).patch(url, body), await portal.as(guest).delete(url)]) {
    assertErrors(answer, 403, ['403 owner_only'])
    expect(answer.errors[0]?.detail).toBe(seen.meta?.denied?.update)
  }
  expect((await portal.as(owner).get(url)).one.attributes?.title).toBe(seen.attributes?.title)
})

test('a person who may not change a resource learns no faults of the change', async () => {
  await portal.share(owner, guest)
  assertErrors(await portal.as(guest).patch(`${books}/${stocked.books[0]}`, { data: { type: 'x' } }), 403, [
    '403 owner_only',
  ])
})

test('the server logged no bug', () => {
  expect(portal.bugs).toEqual([])
})
