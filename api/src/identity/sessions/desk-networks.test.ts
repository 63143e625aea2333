import { base } from '@portico/contract/wire.ts'
import { expect, test } from 'vitest'
import { testApp } from '#test/support/app.ts'
import { testDatabase } from '#test/support/database.ts'
import { Browser, person } from '#test/support/people.ts'
import { makeMember } from '#test/support/staff.ts'

const { pool } = await testDatabase()
const member = await makeMember(pool, 'admin')
await person(pool, 'ana@example.com')

const statusesOf = async (deskNetworks: string[], email: string) => {
  const { app } = await testApp(pool, { env: { deskNetworks } })
  const browser = new Browser(app)
  await browser.signIn(email)
  const urls = ['/api/user', `${base}/desk-home`, `${base}/projects`]
  return Promise.all(urls.map(async (url) => (await browser.get(url)).statusCode))
}

test('a session of staff is accepted from their networks alone, and those of clients from everywhere', async () => {
  expect(await statusesOf(['127.0.0.0/8'], member.email)).toEqual([200, 200, 200])
  expect(await statusesOf(['192.0.2.0/24'], member.email)).toEqual([401, 401, 401])
  expect(await statusesOf(['192.0.2.0/24'], 'ana@example.com')).toEqual([200, 404, 200])
})
