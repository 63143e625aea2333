import { base } from '@portico/contract/wire.ts'
import { expect, test } from 'vitest'
import { testApp } from '#test/support/app.ts'
import { testDatabase } from '#test/support/database.ts'
import { Browser, person } from '#test/support/people.ts'
import { makeMember } from '#test/support/staff.ts'

const { pool } = await testDatabase()
const { app } = await testApp(pool)

test('staff read where a client signed in from and what failed, and nothing of their colleagues', async () => {
  const ana = await person(pool, 'ana@example.test')
  const browser = new Browser(app, { headers: { 'user-agent': 'Her browser' } })
  await browser.login(ana.email, 'not her password')
  await browser.signIn(ana.email)
  const { email, client } = await makeMember(pool, 'support')
  const support = new Browser(app)
  await support.signIn(email)
  const list = async (query = '') =>
    (await support.get(`${base}/desk-sign-ins?sort=at${query}`))
      .json()
      .data.map(({ attributes }: { attributes: object }) => attributes)
  expect(await list(`&filter[client_id]=${ana.id}`)).toMatchObject([
    { kind: 'sign-in-failed', client_id: ana.id, ip: '127.0.0.1', user_agent: 'Her browser' },
    { kind: 'signed-in', client_id: ana.id },
  ])
  expect(await list(`&filter[client_id]=${client}`)).toEqual([])
  expect((await list()).map(({ client_id }: { client_id: number }) => client_id)).not.toContain(client)
  expect((await browser.get(`${base}/desk-sign-ins`)).statusCode).toBe(404)
})
