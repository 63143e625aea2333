import { expect, test } from 'vitest'
import { testApp } from '#test/support/app.ts'
import { Authenticator } from '#test/support/authenticator.ts'
import { testDatabase } from '#test/support/database.ts'
import { dump, formsOf } from '#test/support/dump.ts'
import { Browser, person, stoppedClock } from '#test/support/people.ts'
import { enrol, totp } from '#test/support/totp.ts'

const { pool } = await testDatabase()
const clock = stoppedClock()
const { app, lines } = await testApp(pool, { clock, env: { rateLimitScale: 1000, logLevel: 'trace' } })

/** Goes through everything of the second factor and of passkeys, and returns every secret that came by. */
async function secretsOfAVisit(): Promise<string[]> {
  const { email } = await person(pool, 'ada@example.test')
  const browser = new Browser(app)
  await browser.signIn(email)
  const { secret, recoveryCodes } = await enrol(browser, clock)
  clock.forward(60_000)
  const { challenge } = (await browser.login(email)).json()
  const secondStep = (code: string) =>
    browser.ask({ method: 'POST', url: '/auth/login/two-factor', payload: { challenge, code } })
  await secondStep('a wrong code that was typed')
  const { code } = (await secondStep(recoveryCodes[0] ?? '')).json()
  await browser.get(`/auth/callback?code=${code}`)
  const payload = { code: totp(secret, clock) }
  const renewed = await browser.send('POST', '/api/user/two-factor/recovery-codes', payload)

  const authenticator = new Authenticator()
  const { options } = (await browser.send('POST', '/api/user/passkeys/options', {})).json()
  const response = authenticator.create(options)
  await browser.send('POST', '/api/user/passkeys', { name: 'Laptop', response })
  const asked = (await browser.ask({ method: 'POST', url: '/auth/passkey/options', payload: {} })).json()
  const answer = authenticator.get(asked.options)
  await browser.ask({ method: 'POST', url: '/auth/passkey/verify', payload: { response: answer } })

  const codes: string[] = [...recoveryCodes, ...renewed.json().recovery_codes]
  expect(codes).toHaveLength(20)
  const challenges = [challenge, options.challenge, asked.options.challenge]
  return [
    secret,
    code,
    ...challenges,
    'a wrong code that was typed',
    ...codes.flatMap((one) => [one, one.replaceAll('-', '')]),
  ]
}

test('no secret of a second factor is readable in the database or in a log line', async () => {
  const secrets = await secretsOfAVisit()
  const stored = await dump(pool)
  const logged = JSON.stringify(lines)
  expect(stored).toContain('Laptop')
  expect(logged).toContain('/auth/login/two-factor')
  for (const secret of secrets) {
    expect(secret.length).toBeGreaterThan(15)
    for (const form of formsOf(secret)) {
      expect(stored.includes(form), `${secret} is in the database`).toBe(false)
      expect(logged.includes(form), `${secret} is in the log`).toBe(false)
    }
  }
})
