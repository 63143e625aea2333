import { expect, test } from 'vitest'
import { testApp } from '#test/support/app.ts'
import { testDatabase } from '#test/support/database.ts'
import { dump, formsOf } from '#test/support/dump.ts'
import { newestLetter } from '#test/support/mail.ts'
import { Browser, stoppedClock } from '#test/support/people.ts'

const { pool } = await testDatabase()
const clock = stoppedClock()
const { app, lines } = await testApp(pool, { clock, env: { logLevel: 'trace', rateLimitScale: 1000 } })

const email = 'ilie@example.test'
const moved = 'ilie.rus@example.test'
const passwords = {
  first: 'nine green bottles standing',
  second: 'eleven owls over the river',
  third: 'seven swans on a lorry',
  wrong: 'a password that was mistyped',
  weak: 'Ilie-Rus-1999',
}

type Secrets = Record<string, string>

const browser = new Browser(app)
const post = (url: string, payload: object) => browser.ask({ method: 'POST', url, payload })

async function linkOf(to: string, kind: 'password-reset' | 'email-change-confirm' | 'email-changed') {
  const { link } = await newestLetter(pool, to, kind)
  return link.slice(link.search(/[=#][\w-]+$/) + 1)
}

const hashOf = async (to: string) =>
  (await newestLetter(pool, to, 'verify-email')).link.split('/').at(-1) ?? ''

/** Registers, confirms and goes in. */
async function register(): Promise<Secrets> {
  const names = { first_name: 'Ilie', last_name: 'Rus', email, terms: true }
  await post('/auth/register', { ...names, password: passwords.weak })
  await post('/auth/register', { ...names, password: passwords.first })
  const registration = browser.cookies.get('register_tx') ?? ''
  const superseded = await hashOf(email)
  clock.forward(61_000)
  await browser.ask({ url: `/api/mail/resend-confirmation?email=${email}` })
  const hash = await hashOf(email)
  const { link } = await newestLetter(pool, email, 'verify-email')
  await browser.get(`/auth${link}x`)
  await browser.get(`/auth${link}`)
  await browser.get(`/auth${link}`)
  const { code } = (await post('/auth/registration', {})).json()
  const waiting = browser.cookies.get('login_tx') ?? ''
  await browser.get(`/auth/callback?code=${code}`)
  const device = browser.cookies.get('device') ?? ''
  return { registration, superseded, hash, code, waiting, device }
}

/** Forgets the password, chooses another, signs in, and changes that one too. */
async function changePassword(): Promise<Secrets> {
  await post('/auth/password/forgot', { email })
  const reset = await linkOf(email, 'password-reset')
  await post('/auth/password/check', { token: reset })
  await post('/auth/password/reset', { token: reset, password: passwords.weak })
  await post('/auth/password/reset', { token: reset, password: passwords.second })
  const { code } = (await browser.login(email, passwords.second)).json()
  await browser.get(`/auth/callback?code=${code}`)
  const { code: confirming } = (await browser.login(email, passwords.second)).json()
  await browser.send('POST', '/auth/confirm', { code: confirming })
  const asked = { password: passwords.third }
  await browser.send('POST', '/api/user/password', { ...asked, current_password: passwords.wrong })
  await browser.send('POST', '/api/user/password', { ...asked, current_password: passwords.second })
  return { reset, signingIn: code, confirming }
}

/** Moves to another address, and back. */
async function changeEmail(): Promise<Secrets> {
  await browser.send('POST', '/api/user/email', { email: moved })
  const confirm = await linkOf(moved, 'email-change-confirm')
  await post('/auth/email/confirm', { token: confirm })
  await post('/auth/email/confirm', { token: confirm })
  const undo = await linkOf(email, 'email-changed')
  await post('/auth/email/undo', { token: undo })
  const chosen = await linkOf(email, 'password-reset')
  return { confirm, undo, chosen }
}

test('no link, code, cookie or password of an account is readable in the database or in a log line', async () => {
  const steps = [await register(), await changePassword(), await changeEmail()]
  const secrets: Secrets = Object.assign({}, passwords, ...steps)
  const last = (await browser.get('/api/user/security-log')).statusCode
  // The way was gone to its end: the undone change has signed this browser out.
  expect(last).toBe(401)
  const stored = await dump(pool)
  const logged = JSON.stringify(lines)
  expect(stored).toContain(email)
  for (const part of [
    '/auth/verify-email/:id/:hash',
    '/auth/password/reset',
    '/api/mail/resend-confirmation',
  ])
    expect(logged).toContain(part)
  expect(logged).not.toContain(email)
  for (const [name, secret] of Object.entries(secrets)) {
    expect(secret.length, name).toBeGreaterThan(10)
    for (const form of formsOf(secret)) {
      expect(stored.includes(form), `${name} is in the database`).toBe(false)
      expect(logged.includes(form), `${name} is in the log`).toBe(false)
    }
  }
})
