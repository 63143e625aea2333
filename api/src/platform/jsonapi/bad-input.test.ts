import { base } from '@portico/contract/wire.ts'
import { beforeEach, describe, expect, test } from 'vitest'
import { mostFaults } from '#platform/errors/problem.ts'
import { makeAccount } from '#test/support/account.ts'
import { testPortal, type Visitor } from '#test/support/portal.ts'
import { assertErrors } from '#test/support/structure.ts'

// Inputs that are known to break web applications: each gets its 4xx, nothing is stored, and the next request succeeds.

const portal = await testPortal()
const url = `${base}/projects`
let me: Visitor = portal.nobody
let existing = 0
let before = ''

const everything = async () => (await me.get(`${url}?page[size]=100&sort=id`)).text

beforeEach(async () => {
  const account = await makeAccount(portal.pool, { projects: 2, panels: 1 })
  me = portal.as(account)
  existing = account.projects[0] ?? 0
  before = await everything()
})

const named = (name: unknown) => JSON.stringify({ data: { type: 'projects', attributes: { name } } })
const renamed = (name: unknown) =>
  JSON.stringify({ data: { type: 'projects', id: String(existing), attributes: { name } } })

describe.each<[string, unknown, string]>([
  ['5000 characters', 'a'.repeat(5000), 'characters_most'],
  ['a null byte', 'a\u0000b', 'text_null'],
  ['an escaped high surrogate alone', 'a\ud800', 'text_surrogate'],
  ['an escaped low surrogate alone', '\udc00b', 'text_surrogate'],
  ['a right-to-left override', 'abc\u202edef', 'characters_unfit'],
  ['a right-to-left mark', 'abc\u200f', 'characters_unfit'],
  ['an isolate', '\u2067abc\u2069', 'characters_unfit'],
  ['an Arabic letter mark', 'abc\u061c', 'characters_unfit'],
  ['a line break', 'a\nb', 'characters_unfit'],
  ['a line separator', 'a\u2028b', 'characters_unfit'],
  ['a code point that is no character', 'a\uffff', 'characters_unfit'],
  ['nothing to see', '\u200b\u3164', 'project_name_required'],
  ['nothing', '', 'project_name_required'],
  ['spaces', ' \u00a0\u2003 ', 'project_name_required'],
  ['a number', 12, 'value_not_text'],
  ['an object', { toString: 'x' }, 'value_not_text'],
  ['a list', ['x'], 'value_not_text'],
  ['null', null, 'project_name_required'],
])('a name of %s', (_what, name, code) => {
  test('is a 422 that points at it, when creating and when changing', async () => {
    for (const answer of [
      await me.post(url, named(name)),
      await me.patch(`${url}/${existing}`, renamed(name)),
    ])
      assertErrors(answer, 422, [`422 ${code} /data/attributes/name`])
    expect(await everything()).toBe(before)
  })
})

test('the first of very many faults are reported, and the server is free for others at once', async () => {
  const attributes = Object.fromEntries(Array.from({ length: 60_000 }, (_, at) => [`f${at}`, 1]))
  const begun = process.cpuUsage()
  const answer = await me.post(url, { data: { type: 'projects', attributes } })
  expect(answer.status).toBe(422)
  expect(answer.errors).toHaveLength(mostFaults)
  // All of them together took seconds.
  const { user, system } = process.cpuUsage(begun)
  expect((user + system) / 1e6).toBeLessThan(3)
  expect(await everything()).toBe(before)
})

test('a text that cannot be stored is pointed at, however deep it stands', async () => {
  const body = { data: { type: 'projects', attributes: { 'a/b~c': [1, { inner: 'x\0' }] } } }
  assertErrors(await me.post(url, body), 422, ['422 text_null /data/attributes/a~1b~0c/1/inner'])
  const key = { data: { type: 'projects', attributes: { 'half \ud800': 1 } } }
  assertErrors(await me.post(url, key), 422, ['422 text_surrogate /data/attributes'])
})

test.each<[string, string | Buffer, number]>([
  ['cut JSON', named('x').slice(0, -2), 400],
  ['two documents', `${named('x')}${named('y')}`, 400],
  ['single quotes', named('x').replaceAll('"', "'"), 400],
  ['a byte order mark', `\ufeff${named('x')}`, 400],
  [
    'a raw half of a surrogate',
    Buffer.concat([
      Buffer.from('{"data":{"type":"projects","attributes":{"name":"'),
      Buffer.from([0xed, 0xa0, 0x80]),
      Buffer.from('"}}}'),
    ]),
    400,
  ],
  ['Latin-1', Buffer.from(named('é'), 'latin1'), 400],
  ['1000 lists in each other', `${'['.repeat(1000)}${']'.repeat(1000)}`, 400],
  ['1000 documents in each other', `${'{"data":'.repeat(1000)}1${'}'.repeat(1000)}`, 400],
  ['1000 levels in a name', named('x').replace('"x"', `${'['.repeat(1000)}${']'.repeat(1000)}`), 400],
  ['100 000 levels', `${'['.repeat(100_000)}${']'.repeat(100_000)}`, 400],
  ['2 MB of name', named('a'.repeat(2_000_000)), 413],
  ['2 MB of spaces', ' '.repeat(2_000_000), 413],
])('%s is refused', async (_what, body, status) => {
  assertErrors(await me.call('POST', url, { body }), status)
  assertErrors(await me.call('PATCH', `${url}/${existing}`, { body }), status)
  expect(await everything()).toBe(before)
})

test.each(['__proto__', 'constructor', 'prototype', 'hasOwnProperty', 'toString'])(
  'a member %s reaches nothing',
  async (key) => {
    const evil = `{${JSON.stringify(key)}:{"name":"evil","polluted":true}}`
    const attributes = `{"data":{"type":"projects","attributes":${evil}}}`
    const fault = `422 attribute_unknown /data/attributes/${key}`
    assertErrors(await me.post(url, attributes), 422, [
      fault,
      '422 project_name_required /data/attributes/name',
    ])
    const relationships = `{"data":{"type":"projects","attributes":{"name":"x"},"relationships":${evil}}}`
    assertErrors(await me.post(url, relationships), 422, [
      `422 relationship_unknown /data/relationships/${key}`,
    ])
    assertErrors(await me.post(url, evil), 400)
    assertErrors(await me.post(url, `{"data":${evil}}`), 400)
    expect(Reflect.get({}, 'polluted')).toBeUndefined()
    expect(await everything()).toBe(before)
  },
)

const sqlTexts = [
  "' or '1'='1",
  "'; drop table projects; --",
  '1); select pg_sleep(9); --',
  '$1',
  '%27',
  "\\'",
  'a" or 1=1',
  '*',
]
const parameters = [
  ['page[size]', 'page_number_invalid'],
  ['page[number]', 'page_number_invalid'],
  ['sort', 'sort_unknown'],
  ['include', 'include_unknown'],
  ['fields[projects]', 'fieldset_unknown'],
  ['filter[client_id]', 'id_invalid'],
  ['filter[status]', 'filter_unknown'],
  ['payload', 'parameter_unknown'],
  ['id', 'parameter_unknown'],
]

test.each(parameters)('SQL in %s is a 400', async (name, code) => {
  for (const text of sqlTexts)
    assertErrors(await me.get(`${url}?${name}=${encodeURIComponent(text)}`), 400, [`400 ${code} ${name}`])
  expect(await everything()).toBe(before)
})

test('SQL and patterns in a search are a text to be searched for', async () => {
  for (const text of [...sqlTexts, '%', '_', '\\', '.*'])
    expect((await me.get(`${url}?filter[search]=${encodeURIComponent(text)}`)).page.total).toBe(0)
  await me.post(url, named('50%_\\'))
  for (const text of ['%', '_', '\\', '50%']) {
    const found = await me.get(`${url}?filter[search]=${encodeURIComponent(text)}`)
    expect(found.list.map(({ attributes }) => attributes?.name)).toEqual(['50%_\\'])
  }
  expect((await me.get(`${url}?filter[id]=${encodeURIComponent('1 or 1=1')}`)).page.total).toBe(0)
})

test.each([
  '-1',
  '0',
  'NaN',
  '1e9',
  '1000000000',
  'Infinity',
  '0x10',
  '1.5',
  '١',
  '',
  ' 1',
  '99999999999999999999',
])('page[size]=%s and page[number] so are a 400', async (value) => {
  const text = encodeURIComponent(value)
  assertErrors(await me.get(`${url}?page[size]=${text}`), 400, ['400 page_number_invalid page[size]'])
  if (value !== '1000000000') assertErrors(await me.get(`${url}?page[number]=${text}`), 400)
})

test.each([
  ['?filter[search]=%ZZ', 'filter[search]', 'parameter_encoding'],
  ['?filter[search]=%', 'filter[search]', 'parameter_encoding'],
  ['?filter[search]=%ED%A0%80', 'filter[search]', 'parameter_encoding'],
  ['?filter[search]=a%00b', 'filter[search]', 'parameter_null'],
  ['?%ZZ=1', 'query', 'parameter_encoding'],
  ['?filter%5Bsearch%5D=a&filter[search]=a', 'filter[search]', 'parameter_repeated'],
  [`?filter[search]=${'a'.repeat(5000)}`, 'filter[search]', 'characters_most'],
  [`?include=${'panels,'.repeat(200)}`, 'include', 'include_paths_most'],
  [`?include=${'panels.project.'.repeat(100)}panels`, 'include', 'include_too_deep'],
  [`?filter[id]=${'1,'.repeat(200)}1`, 'filter[id]', 'ids_most'],
])('%s is a 400', async (query, parameter, code) => {
  assertErrors(await me.get(url + query), 400, [`400 ${code} ${parameter}`])
})

test.each([
  ['billing-logs?filter[period]=2026-13', 'filter[period]', 'month_invalid'],
  ['invoices?filter[without]=proformas', 'filter[without]', 'value_not_only'],
  ['usages?filter[to]=2026-01-01&filter[to]=2026-01-02', 'filter[to]', 'parameter_repeated'],
])('a list of %s is a 400', async (query, parameter, code) => {
  assertErrors(await me.get(`${base}/${query}`), 400, [`400 ${code} ${parameter}`])
})

test('a language that there is not is refused at its field', async () => {
  const { list } = await me.get(`${base}/clients`)
  const id = String(list[0]?.id)
  const attributes = { language_id: 999_999 }
  const answer = await me.patch(`${base}/clients/${id}`, { data: { type: 'clients', id, attributes } })
  assertErrors(answer, 422, ['422 language_unknown /data/attributes/language_id'])
})

test.each(['%ZZ', '%', '%E0%A4%A', '%ff'])('/%s is a 400', async (path) => {
  assertErrors(await me.get(`${url}/${path}`), 400)
  assertErrors(await me.get(`${url}/${existing}/relationships/${path}`), 400)
})

test('after all of it nothing was a bug', () => {
  expect(portal.bugs).toEqual([])
})

test.each(['tickets', 'invoices', 'usages', 'billing-logs', 'transactions'])(
  'a day that the database cannot store, or that is unreasonable, is a 400 of %s',
  async (type) => {
    for (const name of ['from', 'to'])
      for (const day of ['0000-01-01', '1899-12-31', '2101-01-01', '2026-02-30'])
        assertErrors(await me.get(`${base}/${type}?filter[${name}]=${day}`), 400, [
          `400 ${day === '2026-02-30' ? 'day_invalid' : 'day_out_of_range'} filter[${name}]`,
        ])
    expect((await me.get(`${base}/${type}?filter[from]=1900-01-01&filter[to]=2100-12-31`)).status).toBe(200)
  },
)
