import { base, mediaType } from '@portico/contract/wire.ts'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { makeAccount } from '#test/support/account.ts'
import { forbiddenActor, type Library, library, prepareLibrary, stock } from '#test/support/library.ts'
import { testPortal, type Visitor } from '#test/support/portal.ts'
import { assertErrors } from '#test/support/structure.ts'

const portal = await testPortal({ served: library, prepare: prepareLibrary })
const all = `${base}/books/-actions`
let owner = { id: 0 }
let me: Visitor = portal.nobody
let mine: Library = { shelf: '', author: 0, books: [] }
let theirs: Library = mine

beforeEach(async () => {
  owner = await makeAccount(portal.pool, { projects: 0 })
  me = portal.as(owner)
  mine = await stock(portal.pool, owner.id, 3)
  theirs = await stock(portal.pool, (await makeAccount(portal.pool, { projects: 0 })).id, 1)
})

afterEach(() => {
  expect(portal.bugs.splice(0)).toEqual([])
})

const on = (action: string, id: number | string | undefined = mine.books[0]) =>
  `${base}/books/${id}/-actions/${action}`
const json = { 'content-type': 'application/json' }
const status = async () => (await me.get(`${base}/books/${mine.books[0]}`)).one.attributes?.status

test.each<[string, object, string]>([
  ['a bare object as JSON', json, JSON.stringify({ to: 'Ana' })],
  ['a document as JSON', json, JSON.stringify({ data: { to: 'Ana' } })],
  [
    'JSON with a charset',
    { 'content-type': 'application/json; charset=utf-8' },
    JSON.stringify({ to: 'Ana' }),
  ],
  ['a document as JSON:API', { 'content-type': mediaType }, JSON.stringify({ data: { to: 'Ana' } })],
])('POST on one takes %s', async (_what, headers, body) => {
  const answer = await me.call('POST', on('lend'), { body, headers: { ...headers } })
  expect([answer.status, answer.json]).toEqual([200, { status: 'out', to: 'Ana' }])
  expect(answer.header('content-type')).toBe('application/json; charset=utf-8')
  expect(await status()).toBe('out')
})

test('the ladder of an action: 401, 404, 404, 403, 422, good, and 409 when it is too late', async () => {
  const body = { data: { to: 'Ana' } }
  const guest = await makeAccount(portal.pool, { projects: 0 })
  await portal.share(owner, guest)
  assertErrors(await portal.nobody.post(on('lend'), body), 401)
  const absent = await me.post(on('lend', 999_999_999), body)
  const hidden = await me.post(on('lend', theirs.books[0]), body)
  assertErrors(absent, 404, ['404 not_found'])
  expect(hidden.text).toBe(absent.text)
  assertErrors(await portal.as(guest).post(on('lend'), body), 403, ['403 owner_only'])
  assertErrors(await me.post(on('lend'), { data: { to: ' ' } }), 422, ['422 name_required /data/to'])
  assertErrors(await me.post(on('lend'), {}), 422, ['422 name_required /data/to'])
  assertErrors(await me.post(on('lend'), { data: { to: 'Ana', more: 1 } }), 422, ['422 field_unknown /data'])
  assertErrors(await me.post(on('lend'), [1]), 422, ['422 value_invalid /data'])
  assertErrors(await me.post(on('lend'), '{'), 400, ['400 malformed_json'])
  expect(await status()).toBe('in')
  expect((await me.post(on('lend'), body)).status).toBe(200)
  assertErrors(await me.post(on('lend'), body), 409, ['409 changed_meanwhile'])
})

test('a body of another media type is a 415, and no body is an empty object', async () => {
  assertErrors(
    await me.call('POST', on('lend'), { body: 'to=Ana', headers: { 'content-type': 'text/plain' } }),
    415,
  )
  assertErrors(await me.call('POST', on('lend')), 422, ['422 name_required /data/to'])
  expect((await me.call('POST', `${all}/returnAll`)).json).toEqual({ returned: 0 })
})

test('POST on a type asks whether it may, and takes no parameters', async () => {
  await me.post(on('lend'), { data: { to: 'Ana' } })
  assertErrors(await me.call('POST', `${all}/returnAll?payload={}`), 400, ['400 parameter_unknown payload'])
  assertErrors(await portal.as(forbiddenActor).call('POST', `${all}/returnAll`), 403, ['403 forbidden'])
  expect((await me.call('POST', `${all}/returnAll`, { body: '{}' })).json).toEqual({ returned: 1 })
})

test.each<[string, unknown]>([
  ['', { copies: 1, note: null }],
  ['?', { copies: 1, note: null }],
  [`?payload=${encodeURIComponent('{"copies":3,"note":"12"}')}`, { copies: 3, note: '12' }],
  ['?payload[copies]=3&payload[note]=two+words', { copies: 3, note: 'two words' }],
  ['?payload%5Bcopies%5D=3&payload%5Bnote%5D=%C8%9B', { copies: 3, note: 'ț' }],
  ['?payload[note]=12', { copies: 1, note: '12' }],
  ['?payload[note]=true', { copies: 1, note: 'true' }],
])('GET reads its payload from %s', async (query, output) => {
  const answer = await me.get(on('quote') + query)
  expect([answer.status, answer.json]).toEqual([200, output])
  expect((await me.call('HEAD', on('quote') + query)).status).toBe(200)
})

test.each<[string, string]>([
  ['?payload={', 'malformed_json payload'],
  ['?payload=', 'malformed_json payload'],
  ['?payload=[]', 'value_invalid payload'],
  ['?payload=%7B%22copies%22:%22x%22%7D', 'value_not_number payload.copies'],
  ['?payload[copies]=x', 'value_not_number payload.copies'],
  ['?payload[copies]=1&payload={}', 'payload_twice payload'],
  ['?payload[more]=1', 'field_unknown payload'],
  ['?payload[__proto__]=1', 'field_unknown payload'],
  ['?payload[a][b]=1', 'parameter_unknown payload[a][b]'],
  ['?copies=1', 'parameter_unknown copies'],
  ['?payload[copies]=1&payload[copies]=1', 'parameter_repeated payload[copies]'],
  ['?payload[note]=%00', 'parameter_null payload[note]'],
])('GET refuses %s', async (query, fault) => {
  assertErrors(await me.get(on('quote') + query), 400, [`400 ${fault}`])
})

test('GET on a type counts, and knows its filter', async () => {
  expect((await me.get(`${all}/count`)).json).toEqual({ count: 3 })
  expect((await me.get(`${all}/count?payload[status]=in`)).json).toEqual({ count: 3 })
  assertErrors(await me.get(`${all}/count?payload[status]=lost`), 400, ['400 value_not_among payload.status'])
})

test('an unchanged answer of a GET is a 304', async () => {
  const answer = await me.get(`${all}/count`)
  const again = await me.get(`${all}/count`, { 'if-none-match': answer.header('etag') ?? '' })
  expect([again.status, again.text]).toEqual([304, ''])
})

test('a GET cannot write: it is a bug of ours, answered 500, and nothing is left of it', async () => {
  const before = await me.get(`${base}/books/${mine.books[0]}`)
  const answer = await me.get(on('sneak'))
  assertErrors(answer, 500, ['500 internal'])
  expect(answer.errors[0]?.id).toBeTypeOf('string')
  expect(answer.text).not.toContain('read-only')
  expect((await me.get(`${base}/books/${mine.books[0]}`)).text).toBe(before.text)
  expect(portal.bugs.splice(0).map(({ message }) => message)).toEqual([
    expect.stringContaining('A transaction that only reads tried to write'),
  ])
})

test('an action that is not there is nothing', async () => {
  assertErrors(await me.get(on('nothing')), 404)
  assertErrors(await me.post(`${all}/lend`, {}), 404)
  assertErrors(await me.post(on('returnAll'), {}), 404)
})
