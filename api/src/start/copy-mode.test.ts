import { base } from '@portico/contract/wire.ts'
import { expect, test } from 'vitest'
import { testApp } from '#test/support/app.ts'
import { testDatabase } from '#test/support/database.ts'
import { Browser, password, person } from '#test/support/people.ts'

const { pool } = await testDatabase()
const { app } = await testApp(pool, { isCopy: true })
const ana = await person(pool, 'ana@example.com')
const browser = new Browser(app)

test('in a copy people sign in, read and sign out', async () => {
  await browser.signIn(ana.email)
  expect((await browser.get(`${base}/projects`)).json().data).toHaveLength(1)
  expect((await browser.get('/api/user')).statusCode).toBe(200)
  expect((await browser.get('/api/user/logout')).statusCode).toBe(200)
})

test('a copy is ready for those who read, and says what it is', async () => {
  const { statusCode, body } = await app.inject('/readyz')
  expect([statusCode, body]).toEqual([200, expect.stringContaining('this portal is a copy')])
})

test.each([
  ['PATCH', '/api/user', { language: 'ro' }],
  ['POST', `${base}/projects`, {}],
  ['DELETE', `${base}/projects/1`, undefined],
  ['POST', '/auth/register', {}],
  ['POST', '/auth/password/forgot', { email: 'ana@example.com' }],
  ['POST', '/webhooks/sandbox', {}],
  ['POST', '/engine/v1/events', {}],
  ['GET', '/auth/verify-email/1/of-a-letter', undefined],
  ['GET', '/api/mail/resend-confirmation?email=ana@example.com', undefined],
  ['GET', '/auth/google', undefined],
  ['GET', '/auth/google/callback?state=x&code=y', undefined],
] as const)('in a copy %s %s is refused, whoever asks', async (method, url, payload) => {
  const answer = await app.inject({ method, url, ...(payload && { payload }) })
  expect([answer.statusCode, answer.json().errors[0].code]).toEqual([503, 'copy_mode'])
})

test('an address that does not exist is still a 404, and a wrong password still a 401', async () => {
  expect((await app.inject({ method: 'POST', url: '/api/v1/nothing' })).statusCode).toBe(404)
  const wrong = await app.inject({
    method: 'POST',
    url: '/auth/login',
    payload: { email: ana.email, password: `not ${password}` },
  })
  expect(wrong.statusCode).toBe(401)
})
