import { base, mediaType } from '@portico/contract/wire.ts'
import { expect, test } from 'vitest'
import { makeAccount } from '#test/support/account.ts'
import { library, prepareLibrary, stock } from '#test/support/library.ts'
import { testPortal } from '#test/support/portal.ts'
import { assertDocument, assertErrors } from '#test/support/structure.ts'

const portal = await testPortal({ served: library, prepare: prepareLibrary })
const owner = await makeAccount(portal.pool, { projects: 0 })
const { author, books } = await stock(portal.pool, owner.id)
const me = portal.as(owner)
const list = `${base}/books`
const newBook = {
  data: {
    type: 'books',
    attributes: { title: 'New' },
    relationships: { author: { data: { type: 'authors', id: String(author) } } },
  },
}

test.each([
  undefined,
  '',
  '*/*',
  'application/*',
  'application/json',
  'application/json, text/plain, */*',
  'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8',
  'application/*;q=0, application/json',
  `*/*;q=0, ${mediaType};q=0.001`,
  mediaType,
  'APPLICATION/VND.API+JSON',
  `${mediaType};q=0.5`,
  `${mediaType}; profile="https://example.com/a https://example.com/b"`,
  `${mediaType};profile=https://example.com/a`,
  `${mediaType}; ext=""`,
  `${mediaType}; ext="https://example.com/x", ${mediaType}`,
  `${mediaType}; charset=utf-8, ${mediaType}; profile="a,b;c"`,
])('Accept: %s is served', async (accept) => {
  const answer = await me.get(list, accept === undefined ? {} : { accept })
  expect(answer.status).toBe(200)
  assertDocument(answer)
  expect(answer.header('vary')?.toLowerCase()).toContain('accept')
})

test.each<[accept: string, code: string]>([
  [`${mediaType}; charset=utf-8`, 'accept_unsupported'],
  [`${mediaType};version=1`, 'accept_unsupported'],
  [`${mediaType}; flag`, 'accept_unsupported'],
  [`${mediaType}; ext="https://jsonapi.org/ext/atomic"`, 'accept_unsupported'],
  [`${mediaType}; ext="https://example.com/x", ${mediaType}; charset=utf-8`, 'accept_unsupported'],
  [`text/html, ${mediaType}; ext="https://example.com/a, b", */*`, 'accept_unsupported'],
  [`"${'\\"'.repeat(7000)}`, 'accept_too_long'],
  ['text/html', 'not_acceptable'],
  ['text/html, application/xhtml+xml, image/*;q=0.8', 'not_acceptable'],
  ['text/*', 'not_acceptable'],
  ['*/*;q=0', 'not_acceptable'],
  ['application/*;q=0.0', 'not_acceptable'],
  ['application/json;q=0', 'not_acceptable'],
  [`${mediaType};q=0`, 'not_acceptable'],
  [`${mediaType};q=0, application/json;q=0, */*`, 'not_acceptable'],
  ['application/xml, application/vnd.api', 'not_acceptable'],
])('Accept: %s is a 406', async (accept, code) => {
  assertErrors(await me.get(list, { accept }), 406, [`406 ${code} accept`])
  const written = await me.call('POST', list, { body: newBook, headers: { accept } })
  assertErrors(written, 406, [`406 ${code} accept`])
})

test.each([
  mediaType,
  'Application/Vnd.Api+Json',
  `${mediaType}; profile="https://example.com/a"`,
  `${mediaType};ext=""`,
])('a body of Content-Type %s is read', async (type) => {
  const answer = await me.call('POST', list, { body: newBook, headers: { 'content-type': type } })
  expect(answer.status).toBe(201)
  assertDocument(answer)
})

test.each([
  'application/json',
  'text/plain',
  'nonsense',
  '',
  `${mediaType}; charset=utf-8`,
  `${mediaType}; flag`,
  `${mediaType}; q=1`,
  `${mediaType}; ext="https://jsonapi.org/ext/atomic"`,
  `${mediaType}; profile="${'a'.repeat(2000)}"`,
  'multipart/form-data; boundary=x',
])('a body of Content-Type %s is a 415', async (type) => {
  const one = `${list}/${books[0]}`
  for (const [method, url] of [
    ['POST', list],
    ['PATCH', one],
    ['PATCH', `${one}/relationships/shelf`],
    ['POST', `${base}/authors/${author}/relationships/books`],
    ['DELETE', `${base}/authors/${author}/relationships/books`],
  ] as const) {
    const answer = await me.call(method, url, {
      body: JSON.stringify(newBook),
      headers: { 'content-type': type },
    })
    assertErrors(answer, 415)
    expect(answer.errors[0]?.code).toMatch(/^(media_type_expected|unsupported_media_type)$/)
  }
})

test('a client of 1.0 is served as it expects', async () => {
  const headers = { accept: mediaType, 'content-type': mediaType }
  const made = await me.call('POST', list, { body: newBook, headers })
  expect([made.status, made.header('content-type')]).toEqual([201, mediaType])
  const listed = await me.get(`${list}?include=author&page%5Bsize%5D=1&sort=-title`, headers)
  assertDocument(listed)
  // Every link is a plain string or null, as in 1.0; the objects of 1.1 are not used.
  for (const link of Object.values(listed.document.links ?? {}))
    expect(link === null || typeof link === 'string').toBe(true)
})

test('errors are JSON:API too, whichever type was requested', async () => {
  assertErrors(await me.get(`${list}/0`, { accept: 'text/html, */*' }), 404, ['404 not_found'])
  assertErrors(await me.get(`${base}/nothing`), 404)
  assertErrors(await me.get(`${list}/%ZZ`), 400)
  assertErrors(await me.get(`${list}/${'x'.repeat(5000)}`), 414)
})

test('a body that is not UTF-8 is refused, and not stored with replacement characters', async () => {
  const [before, after] = JSON.stringify(newBook).split('New')
  const body = Buffer.concat([
    Buffer.from(before ?? ''),
    Buffer.from([0xed, 0xa0, 0x80]),
    Buffer.from(after ?? ''),
  ])
  assertErrors(await me.call('POST', list, { body }), 400, ['400 body_not_utf8'])
  const found = await me.get(`${list}?filter[title]=${encodeURIComponent('\ufffd\ufffd\ufffd')}`)
  expect(found.page.total).toBe(0)
})

test('the server logged no bug', () => {
  expect(portal.bugs).toEqual([])
})
