import { notificationKinds } from '@portico/contract/rules/notification-kinds.ts'
import { afterEach, describe, expect, test } from 'vitest'
import { makeAccount } from '../../test/support/account.ts'
import { testApp } from '../../test/support/app.ts'
import { testDatabase } from '../../test/support/database.ts'
import { lettersTo, newestLetter, testVault } from '../../test/support/mail.ts'
import { causes, choices, type Letter, type LetterKind } from '../mail/letters.ts'
import { letterLimits, queueMail } from './mail.ts'

const { pool } = await testDatabase()
const db = pool.kysely

afterEach(async () => {
  await db.deleteFrom('outbox_letters').execute()
})

const asked: Letter = { kind: 'password-reset', name: 'Ana', link: '/reset-password#t0ken' }
const notice: Letter = {
  kind: 'password-changed',
  name: 'Ana',
  remaining: { passkeys: 0, google: [], two_factor: false, api_keys: [] },
  device: { browser: null, system: null },
  ip: null,
  at: '2026-11-21T14:05:00Z',
}

const write = (to: string, letter: Letter, language = 'ro') =>
  db.transaction().execute((tx) => queueMail({ tx, vault: testVault }, { to, language, letter }))

async function writeMany(count: number, to: (i: number) => string, letter: Letter): Promise<number> {
  const before = await written()
  await db.transaction().execute(async (tx) => {
    for (let i = 0; i < count; i++)
      await queueMail({ tx, vault: testVault }, { to: to(i), language: 'en', letter })
  })
  return (await written()) - before
}

const written = async () =>
  (
    await db
      .selectFrom('outbox_letters')
      .select((eb) => eb.fn.countAll<number>().as('n'))
      .executeTakeFirstOrThrow()
  ).n

const age = (hours: number) =>
  db
    .updateTable('outbox_letters')
    .set({ created_at: new Date(Date.now() - hours * 3_600_000).toISOString() })
    .execute()

test('a letter is written in the language of whoever gets it, and in English when there is none', async () => {
  await write('ana@example.com', asked, 'ro')
  await write('ana@example.com', asked, 'de')
  const rows = await db.selectFrom('outbox_letters').select('language').orderBy('id').execute()
  expect(rows.map(({ language }) => language)).toEqual(['ro', 'en'])
  expect(await lettersTo(pool, 'ana@example.com')).toEqual([asked, asked])
  expect((await newestLetter(pool, 'ana@example.com', 'password-reset')).link).toBe('/reset-password#t0ken')
})

test('an address gets so many letters an hour, however it is typed, and room is left for notices', async () => {
  const to = (i: number) => (i % 2 ? 'Ana@Example.com' : 'ana@example.com')
  expect(await writeMany(15, to, asked)).toBe(letterLimits.asked.address)
  expect(await writeMany(15, to, notice)).toBe(letterLimits.notice.address - letterLimits.asked.address)
  expect(await writeMany(1, () => 'bogdan@example.com', asked)).toBe(1)
  await age(1.1)
  expect(await writeMany(1, to, asked)).toBe(1)
})

test('the portal writes so many letters an hour, and strangers cannot use them up', async () => {
  const to = (i: number) => `person-${i}@example.com`
  expect(await writeMany(900, to, asked)).toBe(letterLimits.asked.all)
  expect(await writeMany(300, (i) => to(i + 1000), notice)).toBe(
    letterLimits.notice.all - letterLimits.asked.all,
  )
})

test('the figures say how many wait and how many were given up', async () => {
  const { app } = await testApp(pool)
  await writeMany(3, () => 'ana@example.com', asked)
  await db
    .updateTable('outbox_letters')
    .set({ failed_at: new Date().toISOString() })
    .where('id', 'in', (eb) => eb.selectFrom('outbox_letters').select((e) => e.fn.max('id').as('id')))
    .execute()
  const { body } = await app.inject('/metrics')
  expect(body).toContain('portico_letters{state="waiting"} 2')
  expect(body).toContain('portico_letters{state="failed"} 1')
})

describe('what a client does without', () => {
  const issued: Letter = {
    kind: 'invoice-issued',
    name: 'Ana',
    what: 'fiscal',
    number: 'HST-1',
    total: '12.00',
    currency: 'USD',
    due: null,
  }

  test('is not written to their address, and everything else is', async () => {
    const { id, email } = await makeAccount(pool, { projects: 0, panels: 0 })
    await db
      .updateTable('clients')
      .set({ mail_off: ['invoice_issued'] })
      .where('id', '=', id)
      .execute()
    expect(await write(email.toUpperCase(), issued)).toBe(false)
    expect(await write('accounting@example.com', issued)).toBe(true)
    expect(await write(email, { kind: 'invitation-accepted', name: 'Ana', other: 'Ion', email })).toBe(true)
    expect(await lettersTo(pool, email)).toMatchObject([{ kind: 'invitation-accepted' }])
  })

  test('is never about safety, about money that runs out, or what was asked for', async () => {
    const { id, email } = await makeAccount(pool, { projects: 0, panels: 0 })
    const all = [...notificationKinds]
    await db.updateTable('clients').set({ mail_off: all }).where('id', '=', id).execute()
    expect(Object.values(choices).sort()).toEqual(all.sort())
    // The keys are those of letters.
    const optional = Object.keys(choices) as LetterKind[]
    expect(
      optional.filter((kind) =>
        /password|factor|passkey|google|email|session|device|recovery|balance|account/.test(kind),
      ),
    ).toEqual([])
    expect(await write(email, notice)).toBe(true)
    expect(
      await write(email, {
        kind: 'balance-low',
        name: 'Ana',
        held: { amount: '1', currency: 'USD' },
        on: '2026-03-10',
      }),
    ).toBe(true)
    expect(new Set(optional.map((kind) => causes[kind]))).toEqual(new Set(['notice']))
  })
})
