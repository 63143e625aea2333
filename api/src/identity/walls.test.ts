import { changeEmail } from '@portico/contract/calls/account/addresses.ts'
import * as security from '@portico/contract/calls/account/security.ts'
import type { Address } from '@portico/contract/calls/call.ts'
import { expect, test } from 'vitest'
import { testApp } from '#test/support/app.ts'
import { testDatabase } from '#test/support/database.ts'
import { Browser, password, person, stoppedClock } from '#test/support/people.ts'

const { pool } = await testDatabase()
const clock = stoppedClock()
const { app } = await testApp(pool, { clock, env: { rateLimitScale: 100_000 } })

const { securityEventKinds: _, ...calls } = security
type Call = keyof typeof calls

const uuid = '00000000-0000-4000-8000-000000000000'
const fresh = 'eleven owls over the river'

// The input of each call, and whether it requires a recent sign-in. A new call that is missing here does not compile.
const given: Record<Call, { readonly id?: string; readonly body?: object; readonly recent: boolean }> = {
  security: { recent: false },
  securityLog: { recent: false },
  sessions: { recent: false },
  endSession: { id: uuid, recent: false },
  endOtherSessions: { recent: false },
  changePassword: { body: { current_password: password, password: fresh }, recent: true },
  changeEmail: { body: { email: 'another@example.test' }, recent: true },
  twoFactorSetup: { body: {}, recent: true },
  twoFactorEnable: { body: { code: '000000' }, recent: true },
  twoFactorDisable: { body: { code: '000000' }, recent: true },
  recoveryCodes: { body: { code: '000000' }, recent: true },
  passkeys: { recent: false },
  newPasskeyOptions: { body: {}, recent: true },
  addPasskey: { body: { name: 'Key', response: {} }, recent: true },
  renamePasskey: { id: '1', body: { name: 'Key' }, recent: true },
  removePasskey: { id: '1', recent: true },
  identities: { recent: false },
  linkGoogle: { body: {}, recent: true },
  unlinkIdentity: { id: '1', recent: true },
}
const names = Object.keys(given) as Call[] // The keys of a record of calls.

async function asked(name: Call, browser: Browser | undefined): Promise<[number, string | undefined]> {
  const { method, path }: Address = calls[name]
  const { id = '', body } = given[name]
  const token = browser?.cookies.get('token')
  const answer = await app.inject({
    method,
    url: path.replace(':id', id),
    headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
    ...(body && { payload: body }),
  })
  return [answer.statusCode, answer.json().errors?.[0]?.code]
}

async function signedIn(email: string, more = {}) {
  await person(pool, email, more)
  const browser = new Browser(app)
  await browser.signIn(email)
  return browser
}

test.each(names)('%s requires a signed-in person', async (name) => {
  expect(await asked(name, undefined)).toEqual([401, 'unauthenticated'])
})

test.each(names)('%s is closed until the e-mail is confirmed, but for correcting that', async (name) => {
  const browser = await signedIn(`unconfirmed-${name}@example.test`, { verified: false })
  const open = calls[name].path === changeEmail.path
  expect(await asked(name, browser)).toEqual(open ? [200, undefined] : [403, 'email_not_confirmed'])
})

test.each(names)(
  '%s asks for a recent sign-in when it changes how one signs in, and only then',
  async (name) => {
    const browser = await signedIn(`old-${name}@example.test`)
    clock.forward(9 * 60_000)
    await browser.refresh()
    clock.forward(60_000)
    const [status, code] = await asked(name, browser)
    if (given[name].recent) expect([status, code]).toEqual([403, 'recent_sign_in_required'])
    else expect(code).not.toBe('recent_sign_in_required')
  },
)
