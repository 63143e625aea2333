import { mediaType } from '@portico/contract/wire.ts'
import { expect, test } from 'vitest'
import { testApp } from './support/app.ts'
import { testDatabase } from './support/database.ts'
import { newestLetter } from './support/mail.ts'
import { Browser, person } from './support/people.ts'
import { share } from './support/share.ts'

// The whole way, through the real sign-in, on two replicas over one database.

const { pool } = await testDatabase()
const one = await testApp(pool)
const two = await testApp(pool)

async function signedIn(email: string) {
  const here = new Browser(one.app)
  const answer = await here.signIn(email)
  const there = new Browser(two.app)
  const token = here.cookies.get('token') ?? ''
  const ask = (method: 'POST' | 'DELETE', url: string, body?: object) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': mediaType }
    return here.ask({ method, url, headers, ...(body && { payload: JSON.stringify(body) }) })
  }
  return { here, ask, thereToo: (url: string) => there.get(url, token), user: answer.json().user }
}

const ana = await person(pool, 'ana@share.test')
const mihai = await person(pool, 'mihai@share.test')

test('sharing works from invitation to revocation, and each step applies to the next request on every replica', async () => {
  const owner = await signedIn(ana.email)
  const permission = await owner.ask('POST', '/api/v1/share-permissions', {
    data: {
      type: 'share-permissions',
      attributes: {
        permissions: { billing: 'allowed', tickets: 'denied', my_workspaces: 'denied', workspaces: [] },
      },
    },
  })
  const invited = await owner.ask('POST', '/api/v1/share-invitations', {
    data: {
      type: 'share-invitations',
      attributes: { first_name: 'Mihai', last_name: 'Dobre', invited_email: mihai.email },
      relationships: {
        permission: { data: { type: 'share-permissions', id: permission.json().data.id } },
      },
    },
  })
  expect([permission.statusCode, invited.statusCode]).toEqual([201, 201])
  const guest = await signedIn(mihai.email)
  expect(guest.user.access).toEqual({ billing: [mihai.id], tickets: [mihai.id], my_workspaces: [mihai.id] })
  const { link } = await newestLetter(pool, mihai.email, 'invitation')
  const balance = `/api/v1/account-balances?filter[client_id]=${ana.id}`
  const reached = async () => (await guest.thereToo(balance)).json().data.length
  expect(await reached()).toBe(0)
  const accepted = await guest.ask('POST', '/api/v1/share-invitations/-actions/acceptInvitation', {
    data: { token: link.replace('/invitation/', '') },
  })
  expect(accepted.json()).toMatchObject({ status: true })
  expect(await reached()).toBe(1)
  expect((await guest.thereToo('/api/user')).json().access).toEqual({
    billing: [mihai.id, ana.id],
    tickets: [mihai.id],
    my_workspaces: [mihai.id],
  })
  const removed = await owner.ask('DELETE', `/api/v1/share-invitations/${invited.json().data.id}`)
  expect(removed.statusCode).toBe(204)
  expect(await reached()).toBe(0)
  expect((await guest.thereToo('/api/user')).json().access.billing).toEqual([mihai.id])
})

test('without a confirmed address nothing can be accepted', async () => {
  const eve = await person(pool, 'eve@share.test', { verified: false })
  const browser = await signedIn(eve.email)
  const answer = await browser.ask('POST', '/api/v1/share-invitations/-actions/acceptInvitation', {
    token: 'x',
  })
  expect(answer.statusCode).toBe(403)
})

test.each([0, 4])('a share of a blocked or closed owner (%i) is not open', async (status) => {
  const owner = await person(pool, `owner-${status}@share.test`)
  const guest = await person(pool, `guest-${status}@share.test`)
  await share(pool, owner, guest, { billing: 'allowed' })
  const { thereToo } = await signedIn(guest.email)
  const seen = async () =>
    (await thereToo(`/api/v1/account-balances?filter[client_id]=${owner.id}`)).json().data.length
  expect(await seen()).toBe(1)
  await pool.kysely.updateTable('clients').set({ status }).where('id', '=', owner.id).execute()
  expect(await seen()).toBe(0)
})

test('only the e-mail of an invitation contains its token, not the log', async () => {
  const { link } = await newestLetter(pool, mihai.email, 'invitation')
  const token = link.replace('/invitation/', '')
  await one.app.inject(link)
  await one.app.inject(`/api/v1/share-invitations/-actions/preview?payload[token]=${token}`)
  await one.app.inject(
    `/api/v1/share-invitations/-actions/preview?payload=${encodeURIComponent(JSON.stringify({ token }))}`,
  )
  expect(one.lines.length).toBeGreaterThan(3)
  expect(JSON.stringify([one.lines, two.lines])).not.toContain(token)
})
