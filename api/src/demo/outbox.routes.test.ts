import { outbox, outboxLetter } from '@portico/contract/calls/outbox.ts'
import { expect, test } from 'vitest'
import { queueMail } from '#notifications/queue-letter.ts'
import { testApp } from '#test/support/app.ts'
import { testDatabase } from '#test/support/database.ts'
import { testVault } from '#test/support/mail.ts'

const { pool } = await testDatabase()
const { app: demo } = await testApp(pool, { env: { seed: 'demo', publicUrl: 'https://portal.example' } })
const { app: real, lines } = await testApp(pool, { env: { seed: 'none' } })

const where = { device: { browser: null, system: null }, ip: null, at: '2026-11-21T14:05:00Z' }
await pool.kysely.transaction().execute(async (tx) => {
  for (let i = 1; i <= 40; i++) {
    const link = `/verify-email/${i}/s3cret`
    const letter = { kind: 'verify-email', name: 'Ana', link, ...where } as const
    await queueMail({ tx, vault: testVault }, { to: `person-${i}@example.com`, language: 'ro', letter })
  }
})

const list = async (before?: number) => {
  const answer = await demo.inject(`/api/outbox${before === undefined ? '' : `?before=${before}`}`)
  return outbox.output.parse(answer.json())
}

test('a visitor of the demo reads its letters, newest first, page by page', async () => {
  const first = await list()
  expect(first.letters).toHaveLength(30)
  expect(first.letters[0]).toMatchObject({
    to: 'person-40@example.com',
    subject: 'Confirmă adresa de e-mail pentru Portico',
    language: 'ro',
  })
  expect(first.more).toBe(true)
  const rest = await list(first.letters.at(-1)?.id)
  expect(rest.letters.map(({ to }) => to)).toEqual(
    Array.from({ length: 10 }, (_, i) => `person-${10 - i}@example.com`),
  )
  expect(rest.more).toBe(false)
})

test('a letter is opened with its link, and is kept by no cache', async () => {
  const { letters } = await list()
  const answer = await demo.inject(`/api/outbox/${letters[0]?.id}`)
  const letter = outboxLetter.output.parse(answer.json())
  expect(letter.text).toContain('https://portal.example/verify-email/40/s3cret')
  expect(letter.html).toContain('href="https://portal.example/verify-email/40/s3cret"')
  expect(answer.headers['cache-control']).toBe('no-store')
  expect(answer.headers['content-type']).toMatch(/^application\/json/)
})

test('a list says nothing of what letters say', async () => {
  // As it was answered, and not as the contract reads it.
  expect((await demo.inject('/api/outbox')).body).not.toContain('s3cret')
})

test('a letter that is not there, and one whose words are gone, are 404', async () => {
  const { letters } = await list()
  const id = letters[0]?.id ?? 0
  expect((await demo.inject(`/api/outbox/${id + 1}`)).statusCode).toBe(404)
  await pool.kysely.updateTable('outbox_letters').set({ sealed: null }).where('id', '=', id).execute()
  expect((await demo.inject(`/api/outbox/${id}`)).statusCode).toBe(404)
  for (const wrong of ['x', '0', '-1', '1e3', '99999999999999999999'])
    expect((await demo.inject(`/api/outbox/${wrong}`)).statusCode).toBe(400)
  expect((await demo.inject('/api/outbox?before=x')).statusCode).toBe(400)
})

test('outside of a demo the outbox of letters cannot be read', async () => {
  for (const url of ['/api/outbox', '/api/outbox/1', '/api/outbox?before=2'])
    for (const authorization of ['', 'Bearer x'])
      expect((await real.inject({ url, headers: { authorization } })).statusCode).toBe(404)
  expect(JSON.stringify(lines)).not.toContain('s3cret')
})

test('a foreign name that leads to this machine reads no letter and moves no day', async () => {
  for (const url of ['/api/outbox', '/api/outbox/1', '/api/demo/day'])
    for (const host of [
      'attacker-rebind.example',
      'attacker-rebind.example:3000',
      'localhost.example',
      '10.0.0.1',
      '@',
    ]) {
      const answer = await demo.inject({ url, headers: { host } })
      expect([answer.statusCode, answer.json().errors[0].code], `${url} ${host}`).toEqual([403, 'local_only'])
    }
  const move = {
    method: 'POST',
    url: '/api/demo/advance-day',
    headers: { host: 'attacker-rebind.example' },
  } as const
  expect((await demo.inject(move)).statusCode).toBe(403)
  for (const host of ['localhost:3000', 'LOCALHOST', '127.0.0.1:3000', '[::1]:3000'])
    expect((await demo.inject({ url: '/api/outbox', headers: { host } })).statusCode).toBe(200)
})
