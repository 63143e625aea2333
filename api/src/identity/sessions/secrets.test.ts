import { pino } from 'pino'
import { expect, test } from 'vitest'
import { hashPassword } from '#identity/crypto.ts'
import { testApp } from '#test/support/app.ts'
import { testDatabase } from '#test/support/database.ts'
import { dump, formsOf } from '#test/support/dump.ts'
import { Browser, password, person } from '#test/support/people.ts'
import { redact } from './redact.ts'

const { pool } = await testDatabase()
const tokenSecret = 'the secret of these tests is long enough'
const { app, lines } = await testApp(pool, { env: { tokenSecret, logLevel: 'trace' } })

const wrongPassword = 'a wrong password that was typed'
const typedAsEmail = 'Password.Typed@as.e-mail.test'

/** Goes through all of sign-in, and returns every secret that came by. */
async function secretsOfAVisit(): Promise<Record<string, string>> {
  const { email } = await person(pool, 'ada@example.test', { passwordHash: await hashPassword(password) })
  const browser = new Browser(app)
  await browser.login(email, wrongPassword)
  await browser.login(typedAsEmail, wrongPassword)
  const { code } = (await browser.login(email)).json()
  const binding = browser.cookies.get('login_tx') ?? ''
  await browser.get(`/auth/callback?code=${code}x`)
  const { token } = (await browser.get(`/auth/callback?code=${code}`)).json()
  const first = browser.cookies.get('refreshToken') ?? ''
  await browser.get('/api/user')
  await browser.get('/api/v1/projects')
  await browser.refresh()
  const second = browser.cookies.get('refreshToken') ?? ''
  const { access_token: renewed, refresh_token: third } = (await browser.refresh(second)).json()
  await browser.refresh(`${third.slice(0, -1)}_`)
  await browser.ask({ url: `/auth/token?refreshToken=${third}&refreshToken=${third}` })
  await browser.ask({
    method: 'POST',
    url: '/auth/token',
    payload: `{"refreshToken":"${third}"`,
    headers: { 'content-type': 'application/json' },
  })
  await browser.ask({ url: `/auth/nowhere?token=${token}` })
  await browser.get('/api/user/logout', renewed)
  return { password, wrongPassword, code, binding, token, renewed, first, second, third, tokenSecret }
}

test('no secret is readable in the database or in a log line', async () => {
  const secrets = await secretsOfAVisit()
  const stored = await dump(pool)
  expect(stored).toContain('ada@example.test')
  expect(stored.toLowerCase()).not.toContain(typedAsEmail.toLowerCase())
  const logged = JSON.stringify(lines)
  expect(lines.length).toBeGreaterThan(10)
  expect(logged).toContain('/auth/callback')
  for (const [name, secret] of Object.entries(secrets)) {
    expect(secret.length, name).toBeGreaterThan(10)
    for (const form of formsOf(secret)) {
      expect(stored.includes(form), `${name} is in the database`).toBe(false)
      expect(logged.includes(form), `${name} is in the log`).toBe(false)
    }
  }
})

test('passwords are stored as argon2id with 19 MiB, two passes and one lane', async () => {
  const rows = await pool.kysely.selectFrom('auth_accounts').select('password_hash').execute()
  for (const { password_hash } of rows) expect(password_hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  expect(rows.length).toBeGreaterThan(0)
})

test('requests, responses and bodies are logged without their secrets', () => {
  const written: string[] = []
  const careless = pino({ redact }, { write: (line: string) => written.push(line) })
  const headers = {
    authorization: 'Bearer secret',
    cookie: 'token=secret',
    'set-cookie': 'token=secret',
    host: 'kept',
  }
  const fields = { password: 'secret', code: 'secret', token: 'secret', refreshToken: 'secret' }
  careless.info({ req: { headers, body: fields, query: fields }, res: { headers } })
  careless.info({ headers, body: fields, query: fields, ...fields })
  careless.error(Object.assign(new Error('kept'), { detail: 'Failing row contains (a hash).' }))
  expect(written.join('')).toContain('kept')
  expect(written.join('')).not.toMatch(/a hash|"secret"|=secret/)
})
