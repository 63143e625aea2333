import { deflateSync } from 'node:zlib'
import { base } from '@portico/contract/wire.ts'
import { sql } from 'kysely'
import { pino } from 'pino'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { render } from '#notifications/letters/render.ts'
import { readBrand } from '#platform/brand/brand.ts'
import { followSettings } from '#platform/settings/settings.ts'
import { makeVault } from '#platform/vault.ts'
import { makeAccount } from '#test/support/account.ts'
import { testApp } from '#test/support/app.ts'
import { Browser } from '#test/support/people.ts'
import { pngOf } from '#test/support/png.ts'
import { testPortal, type Visitor } from '#test/support/portal.ts'
import { tokenSecret } from '#test/support/secret.ts'
import { makeMember } from '#test/support/staff.ts'
import { makeAdmin } from '#test/support/ticket.ts'

const log = pino({ level: 'silent' })
const portal = await testPortal()
const { pool } = portal
const db = pool.kysely
const admin = portal.staff((await makeMember(pool, 'admin')).admin)

/** The settings of another process. */
const follow = async () => {
  const vault = makeVault(tokenSecret)
  const following = await followSettings({ SEED: 'none' }, { tokenSecret }, { pool, vault, log })
  afterAll(() => following.stop())
  return following
}
const settings = await follow()
const { app } = await testApp(pool, { settings })

const url = `${base}/brands`
const act = (who: Visitor, verb: string, data: object = {}) => who.post(`${url}/-actions/${verb}`, { data })
const faults = ({ errors }: Awaited<ReturnType<typeof act>>) =>
  errors.map(({ status, code, source: at }) => `${status} ${code} ${at?.pointer ?? ''}`.trim())

const nothing = {
  name: null,
  accent: null,
  legal_en: null,
  legal_ro: null,
  letters_en: null,
  letters_ro: null,
}
const logo = (filename: string, bytes: Buffer) => ({ filename, content: bytes.toString('base64') })
const mark = pngOf(96, 64, { text: 'Made at home by Ana' })

beforeEach(async () => {
  await act(admin, 'save', nothing)
  await act(admin, 'removeLogo')
})

test('the brand is saved and logged, and read by others at once or soon', async () => {
  const wish = { ...nothing, name: ' Acme Cloud ', accent: '#0F5C4D', legal_ro: 'Acme SRL\nCluj' }
  expect((await act(admin, 'save', wish)).json).toEqual({ name: 'Acme Cloud' })
  const { list } = await admin.get(url)
  expect(list[0]?.attributes).toMatchObject({
    name: 'Acme Cloud',
    accent: '#0f5c4d',
    legal_en: null,
    legal_ro: 'Acme SRL\nCluj',
    logo: null,
  })
  await expect.poll(() => settings.brand().name).toBe('Acme Cloud')
  const logged = await admin.get(`${base}/staff-actions?sort=-at&page[size]=1`)
  expect(logged.list[0]?.attributes).toMatchObject({ verb: 'save', resource_type: 'brands' })
})

test.each([
  [{ accent: '#ffcc00' }, '422 accent_unreadable /data/accent'],
  [{ accent: 'red' }, '422 colour_invalid /data/accent'],
  [{ accent: '#0f5c4d;}' }, '422 colour_invalid /data/accent'],
  [{ name: '' }, '422 name_required /data/name'],
  [{ name: 'x'.repeat(41) }, '422 characters_most /data/name'],
  [{ name: 'Acme\u202e' }, '422 characters_unfit /data/name'],
  [{ legal_en: 'x'.repeat(501) }, '422 characters_most /data/legal_en'],
  [{ letters_ro: 'x'.repeat(501) }, '422 characters_most /data/letters_ro'],
])('%j is refused', async (data, fault) => {
  expect(faults(await act(admin, 'save', { ...nothing, ...data }))).toEqual([fault])
  expect(await readBrand(db)).toMatchObject({ name: 'Portico', accent: null })
})

test('the refusal of a colour tells its contrast', async () => {
  const { errors } = await act(admin, 'save', { ...nothing, accent: '#777777' })
  expect(errors[0]?.detail).toContain('4.47:1')
})

test('a logo is admitted like any file, without its metadata, and served for good', async () => {
  const { json } = await act(admin, 'setLogo', logo('acme.png', mark))
  await settings.refresh()
  const served = await app.inject(String(Object(json).logo))
  expect(served.statusCode).toBe(200)
  expect(served.headers).toMatchObject({
    'content-type': 'image/png',
    'cache-control': 'public, max-age=31536000, immutable',
    'x-content-type-options': 'nosniff',
  })
  expect(served.rawPayload.includes('Ana')).toBe(false)
  expect(settings.brand().logo).toMatchObject({ width: 96, height: 64 })
  const { list } = await admin.get(`${base}/staff-actions?sort=-at&page[size]=1`)
  expect(JSON.stringify(list)).not.toContain('\\\\x89')
  for (const other of ['/brand/logo-0000000000000000.png', '/brand/x', '/brand/..%2fx'])
    expect((await app.inject(other)).statusCode).toBe(404)
  await act(admin, 'removeLogo')
  expect((await app.inject(String(Object(json).logo))).statusCode).toBe(404)
})

test.each([
  ['acme.svg', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), '422 logo_type'],
  ['acme.gif', Buffer.from('GIF89a'), '422 logo_type'],
  ['acme.pdf', Buffer.from('%PDF-'), '422 logo_type'],
  ['acme', mark, '422 logo_type'],
  ['acme.png', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), '415 upload_content_differs'],
  ['acme.jpg', mark, '415 upload_content_differs'],
  ['acme.png', Buffer.concat([mark, Buffer.from('<script>')]), '415 upload_content_differs'],
  ['acme.png', Buffer.alloc(0), '422 upload_empty'],
  ['acme.png', Buffer.alloc(262_145), '422 logo_too_large'],
  ['acme.png', pngOf(31, 31), '422 logo_size'],
  ['acme.png', pngOf(400, 40), '422 logo_size'],
  ['acme.png', pngOf(2001, 1000), '422 logo_size'],
])('%s of other content is refused', async (name, bytes, fault) => {
  const [found = ''] = faults(await act(admin, 'setLogo', logo(name, bytes)))
  expect(found).toContain(fault)
  expect((await readBrand(db)).logo).toBeNull()
})

/** A PNG with transparency, whose pixels a document decodes. */
const clear = (pixels: Buffer) => logo('acme.png', pngOf(64, 64, { colours: 6, pixels }))
const rows = (filter: number, many: number) =>
  Buffer.concat(Array.from({ length: many }, () => Buffer.concat([Buffer.from([filter]), Buffer.alloc(256)])))

test.each([
  ['are not compressed', Buffer.from('no pixels')],
  ['are none', Buffer.alloc(0)],
  ['are too few', deflateSync(rows(0, 63))],
  ['fill the memory', deflateSync(Buffer.alloc(50_000_000))],
  ['have an unknown filter', deflateSync(rows(5, 64))],
])('a logo whose pixels %s is refused: every document would fail with it', async (_, pixels) => {
  expect(faults(await act(admin, 'setLogo', clear(pixels)))).toEqual(['422 logo_damaged /data/content'])
  expect((await readBrand(db)).logo).toBeNull()
})

test('a logo with transparency is taken', async () => {
  expect(faults(await act(admin, 'setLogo', clear(deflateSync(rows(4, 64)))))).toEqual([])
})

test('an image that documents cannot show is said to be one', async () => {
  await act(admin, 'setLogo', logo('acme.png', pngOf(64, 64, { interlaced: true })))
  expect((await admin.get(url)).list[0]?.attributes).toMatchObject({ logo_prints: false })
  await act(admin, 'setLogo', logo('acme.png', mark))
  expect((await admin.get(url)).list[0]?.attributes).toMatchObject({ logo_prints: true })
})

test('letters and authenticator apps have the name', async () => {
  await act(admin, 'save', {
    ...nothing,
    name: 'Acme & Sons',
    accent: '#0f5c4d',
    letters_en: 'Acme SRL\nCluj',
  })
  await settings.refresh()
  const look = await readBrand(db)
  const { subject, text, html } = render(
    { kind: 'test-letter', name: 'Ana' },
    'en',
    'https://portal.example',
    { look },
  )
  expect(subject).toBe('A test letter of Acme & Sons')
  expect(text).toContain('Acme SRL\nCluj')
  expect(html).toContain('Acme SRL<br>Cluj')
  expect(html).toContain('Acme &amp; Sons')
  expect(`${subject}${text}${html}`).not.toMatch(/Portico|\uE000/)
  const member = await makeMember(pool, 'support')
  const browser = new Browser(app)
  await browser.signIn(member.email)
  const answer = await browser.send('POST', '/api/user/two-factor/setup', {})
  expect(decodeURIComponent(answer.json().otpauth_url)).toContain('Acme & Sons')
})

test('administrators alone read and change it, with a sign-in of the last minutes', async () => {
  const client = portal.as(await makeAccount(pool, { projects: 0, panels: 0 }))
  const verbs = { save: nothing, setLogo: logo('a.png', mark), removeLogo: {} }
  for (const who of [portal.nobody, client]) {
    expect((await who.get(url)).status).toBe(404)
    for (const [verb, data] of Object.entries(verbs)) expect((await act(who, verb, data)).status).toBe(404)
  }
  for (const role of ['support', 'billing', 'readonly'] as const) {
    const who = portal.staff(await makeAdmin(pool, role))
    expect((await who.get(url)).page.total).toBe(0)
    for (const [verb, data] of Object.entries(verbs))
      expect([403, 404]).toContain((await act(who, verb, data)).status)
  }
  const member = await makeMember(pool, 'admin')
  const browser = new Browser(app)
  await browser.signIn(member.email)
  await sql`update auth_sessions set authenticated_at = now() - interval '11 minutes'`.execute(db)
  const headers = { authorization: `Bearer ${browser.cookies.get('token')}`, 'portico-reason': 'Late' }
  for (const [verb, data] of Object.entries(verbs)) {
    const answer = await browser.ask({
      method: 'POST',
      url: `${url}/-actions/${verb}`,
      headers,
      payload: { data },
    })
    expect([verb, answer.json().errors?.[0].code]).toEqual([verb, 'recent_sign_in_required'])
  }
})
