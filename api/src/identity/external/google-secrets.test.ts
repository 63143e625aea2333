import { afterAll, expect, test } from 'vitest'
import { testApp } from '#test/support/app.ts'
import { testDatabase } from '#test/support/database.ts'
import { dump, formsOf } from '#test/support/dump.ts'
import { startIssuer, throughIssuer } from '#test/support/oidc-issuer.ts'
import { Browser } from '#test/support/people.ts'

const { pool } = await testDatabase()
const issuer = await startIssuer()
afterAll(issuer.stop)
const { app, lines } = await testApp(pool, {
  env: {
    logLevel: 'trace',
    googleIssuer: issuer.url,
    googleClientId: issuer.clientId,
    googleClientSecret: issuer.clientSecret,
  },
})

/** The portal's own requests to the issuer, which the browser does not see. */
const sent: string[] = []
const { fetch } = globalThis
globalThis.fetch = async (input, init) => {
  if (init?.body) sent.push(String(init.body))
  return fetch(input, init)
}
afterAll(() => {
  globalThis.fetch = fetch
})

async function secretsOfAVisit(): Promise<Record<string, string>> {
  const browser = new Browser(app)
  const refused = await browser.ask({ url: '/auth/google' })
  const other = await throughIssuer(String(refused.headers.location), 'ada@example.test')
  other.searchParams.set('iss', 'https://elsewhere.test')
  await browser.get(`/auth/google/callback${other.search}`)
  const start = await browser.ask({ url: '/auth/google' })
  const { searchParams } = new URL(String(start.headers.location))
  const binding = browser.cookies.get('g_tx') ?? ''
  const waiting = await dump(pool)
  const back = await throughIssuer(String(start.headers.location), 'ada@example.test')
  const answer = await browser.get(`/auth/google/callback${back.search}`)
  expect(answer.statusCode).toBe(200)
  // The same again, which the issuer is not even asked for, and a code that it does not know.
  await browser.get(`/auth/google/callback${back.search}`)
  const again = await browser.ask({ url: '/auth/google' })
  const state = new URL(String(again.headers.location)).searchParams.get('state') ?? ''
  const iss = encodeURIComponent(issuer.url)
  await browser.get(`/auth/google/callback?code=a-code-that-nobody-gave&state=${state}&iss=${iss}`)
  const verifier = new URLSearchParams(sent.find((body) => body.includes('code_verifier'))).get(
    'code_verifier',
  )
  return {
    binding,
    state: searchParams.get('state') ?? '',
    nonce: searchParams.get('nonce') ?? '',
    refusedCode: other.searchParams.get('code') ?? '',
    refusedState: other.searchParams.get('state') ?? '',
    code: back.searchParams.get('code') ?? '',
    unknownCode: 'a-code-that-nobody-gave',
    verifier: verifier ?? '',
    clientSecret: issuer.clientSecret,
    accessToken: answer.json().access_token,
    waiting,
  }
}

test('a sign-in with Google never leaves a readable secret in the database or in the log', async () => {
  const { waiting = '', ...secrets } = await secretsOfAVisit()
  const stored = `${waiting}\n${await dump(pool)}`
  const logged = JSON.stringify(lines)
  expect(stored).toContain('elsewhere')
  expect(logged).toContain('/auth/google/callback')
  expect(logged).toContain('an external sign-in was refused')
  for (const [name, secret] of Object.entries(secrets)) {
    expect(secret.length, name).toBeGreaterThan(10)
    for (const form of formsOf(secret)) {
      expect(stored.includes(form), `${name} is in the database`).toBe(false)
      expect(logged.includes(form), `${name} is in the log`).toBe(false)
    }
  }
})
