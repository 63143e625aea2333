import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { CannotStart, readEnv } from '#config/env.ts'
import { testApp } from '#test/support/app.ts'
import { testDatabase } from '#test/support/database.ts'
import { temporaryFolder } from '#test/support/temporary.ts'

const { folder: webDist } = temporaryFolder()
fs.writeFileSync(path.join(webDist, 'index.html'), '<html><head><title>Portico</title></head></html>')
fs.writeFileSync(path.join(webDist, 'pages.json'), JSON.stringify({ '*': { en: 'index.html' } }))

const { pool } = await testDatabase()
const without = (await testApp(pool, { webDist })).app
const container = (await testApp(pool, { webDist, env: { tagManagerId: 'GTM-AB12CD' } })).app
const measurement = (await testApp(pool, { webDist, env: { tagManagerId: 'G-XYZ9' } })).app

const page = (app: typeof without, url: string) => app.inject({ url, headers: { accept: 'text/html' } })
const policyOf = async (app: typeof without, url: string) =>
  String((await page(app, url)).headers['content-security-policy'])

test.each(['GTM-AB12CD', 'G-XYZ9', 'G-1'])('%s is an id', (id) => {
  expect(readEnv({ SEED: 'none', TAG_MANAGER_ID: id }).tagManagerId).toBe(id)
})

test.each(['gtm-AB12', 'GTM-ab12', 'GTM_AB12', 'UA-1234', 'GTM-', 'G-X Y', "G-X');alert('", 'XG-AB'])(
  '%s is none, and the server does not start with it',
  (id) => {
    expect(() => readEnv({ SEED: 'none', TAG_MANAGER_ID: id })).toThrow(CannotStart)
  },
)

test('without a tag manager nothing is loaded, and the policy forbids it', async () => {
  expect(readEnv({ SEED: 'none' }).tagManagerId).toBeUndefined()
  expect((await page(without, '/login')).body).not.toContain('tag-manager')
  expect(await policyOf(without, '/login')).not.toContain('google')
  expect((await without.inject('/tag-manager.js')).statusCode).toBe(404)
})

test('with a tag manager pages load it deferred, and the policy allows its hosts alone', async () => {
  expect((await page(container, '/login')).body).toContain(
    '<script defer src="/tag-manager.js"></script></head>',
  )
  const before = (await policyOf(without, '/login')).split('; ')
  const after = (await policyOf(container, '/login')).split('; ')
  expect(after.filter((one) => !before.includes(one))).toEqual([
    "script-src 'self' https://www.googletagmanager.com",
    "img-src 'self' data: https://www.googletagmanager.com https://*.google-analytics.com",
    expect.stringMatching(/^connect-src .* https:\/\/\*\.analytics\.google\.com$/),
  ])
  const { body, headers } = await container.inject('/tag-manager.js')
  expect(headers['content-type']).toBe('text/javascript; charset=utf-8')
  expect(body).toContain('https://www.googletagmanager.com/gtm.js?id=GTM-AB12CD')
  expect((await measurement.inject('/tag-manager.js')).body).toContain('/gtag/js?id=G-XYZ9')
})

test.each([
  '/invitation/abc',
  '/verify-email/1/ab?x=1',
  '/callback?code=x',
  '/google/callback',
  '/reset-password',
])('%s, whose address is personal, is never reported', async (url) => {
  const { body, headers } = await page(container, url)
  expect(body).not.toContain('tag-manager')
  expect(headers['content-security-policy']).not.toContain('google')
})

test('the page with a tag manager is compressed too', async () => {
  const headers = { accept: 'text/html', 'accept-encoding': 'br' }
  const answer = await container.inject({ url: '/login', headers })
  expect(answer.headers['content-encoding']).toBe('br')
  expect(answer.headers.etag).not.toBe((await page(without, '/login')).headers.etag)
})
