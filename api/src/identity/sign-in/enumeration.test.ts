import { setTimeout as sleep } from 'node:timers/promises'
import type { LightMyRequestResponse } from 'fastify'
import { expect, test } from 'vitest'
import { hashPassword } from '#identity/crypto.ts'
import { testApp } from '#test/support/app.ts'
import { testDatabase } from '#test/support/database.ts'
import { browsersOn, password, person, stoppedClock } from '#test/support/people.ts'

const { pool } = await testDatabase()
const clock = stoppedClock()
const { app } = await testApp(pool, { clock, env: { rateLimitScale: 100_000 } })

// Time is compared, so the hash is one of the portal's.
const passwordHash = await hashPassword(password)

const rounds = 30
const warmUp = 3
const mostApart = 10

const otherBrowser = browsersOn(app)

// Each call with what a stranger could send it, who wants to know whether an address has an account.
const calls: Record<string, (email: string) => Promise<LightMyRequestResponse>> = {
  'sign-in': (email) => otherBrowser().login(email, 'not the password'),
  forgot: (email) => otherBrowser().ask({ method: 'POST', url: '/auth/password/forgot', payload: { email } }),
  resend: (email) => otherBrowser().ask({ url: '/api/mail/resend-confirmation', query: { email } }),
  register: (email) =>
    otherBrowser().ask({
      method: 'POST',
      url: '/auth/register',
      payload: {
        first_name: 'Ilie',
        last_name: 'Rus',
        email,
        password: 'nine green bottles standing',
        terms: true,
      },
    }),
}
const names = Object.keys(calls)

const median = (values: number[]) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

/** All of an answer that does not differ between any two. */
function seen({ statusCode, headers, body }: LightMyRequestResponse) {
  const kept = Object.entries(headers).filter(([name]) => !/^(date|x-request-id|ratelimit)/.test(name))
  const cookie = String(headers['set-cookie'] ?? '').replace(/=[\w-]{43};/, '=…;')
  return { statusCode, body, headers: { ...Object.fromEntries(kept), 'set-cookie': cookie } }
}

async function measured(call: string, email: string) {
  const begun = performance.now()
  const answer = await calls[call]?.(email)
  if (answer === undefined) throw new Error(`There is no ${call}.`)
  return { answer: seen(answer), ms: performance.now() - begun }
}

type Apart = Record<string, number[]>

let round = 0

/**
 * Makes each call for a known and an unknown address at the same moment, many times, and returns by how much longer the known
 * one took each time. What both are slowed by, which is most of what a busy machine does, is not in it.
 */
async function measureApart(times = rounds): Promise<Apart> {
  const apart: Apart = Object.fromEntries(names.map((call) => [call, []]))
  for (let turn = 0; turn < times + warmUp; turn++) {
    round++
    // Each round uses its own addresses, or the limits on letters would make all but the first idle. Some are confirmed
    // and some are not, which must not be distinguishable either.
    const known = `known-${round}@example.test`
    await person(pool, known, { verified: round % 2 === 0, passwordHash })
    const pairs = names.map(async (call) => {
      const emails = [known, `nobody-${round}-${call}@example.test`]
      // One of two is begun first, and is ahead by that: each as often.
      const isTurned = turn % 4 > 1
      if (isTurned) emails.reverse()
      const answers = await Promise.all(emails.map((email) => measured(call, email)))
      const [one, other] = isTurned ? answers.reverse() : answers
      expect(one?.answer).toEqual(other?.answer)
      if (turn >= warmUp) apart[call]?.push((one?.ms ?? 0) - (other?.ms ?? 0))
    })
    await Promise.all(pairs)
  }
  return apart
}

const telling = (apart: Apart) => names.filter((call) => Math.abs(median(apart[call] ?? [])) >= mostApart)

test('no call reveals by status, body, headers or time whether an address has an account', async () => {
  // A machine that is busy with something else may make one measurement say anything. What the portal itself gives away is
  // there each time.
  let revealing = telling(await measureApart())
  for (let again = 0; again < 3 && revealing.length > 0; again++) {
    const more = telling(await measureApart())
    revealing = revealing.filter((call) => more.includes(call))
  }
  expect(revealing).toEqual([])
}, 120_000)

test('a call that takes longer for a known address would be seen', async () => {
  const honest = calls.forgot
  calls.forgot = async (email) => {
    if (email.startsWith('known-')) await sleep(3 * mostApart)
    const answer = await honest?.(email)
    if (answer === undefined) throw new Error('There is no such call.')
    return answer
  }
  try {
    expect(telling(await measureApart(8))).toContain('forgot')
  } finally {
    if (honest) calls.forgot = honest
  }
}, 60_000)

test('an address that others asked too often about is answered like any other', async () => {
  const known = 'asked-for@example.test'
  await person(pool, known, { passwordHash })
  for (const call of ['forgot', 'resend', 'register']) {
    const asked = (email: string) => Promise.all(Array.from({ length: 6 }, () => measured(call, email)))
    const answers = [...(await asked(known)), ...(await asked(`unasked-${call}@example.test`))]
    for (const { answer } of answers) expect(answer).toEqual(answers[0]?.answer)
  }
})

test('a block is no sign of an account: both are blocked after as many tries, for as long', async () => {
  const known = 'blocked@example.test'
  await person(pool, known, { passwordHash })
  for (const email of [known, 'blocked-nobody@example.test']) {
    const answers = await Promise.all(Array.from({ length: 20 }, () => measured('sign-in', email)))
    const blocked = answers.filter(({ answer }) => answer.statusCode === 429)
    expect(blocked).toHaveLength(10)
    for (const { answer } of blocked) expect(answer.headers).toMatchObject({ 'retry-after': '60' })
  }
})
