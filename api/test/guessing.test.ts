import { sql } from 'kysely'
import { expect, test, vi } from 'vitest'
import { type Account, makeAccount } from './support/account.ts'
import { testPortal } from './support/portal.ts'

// Nothing is gained by repeating a request, sending many, or testing guesses.

const portal = await testPortal()
const base = '/api/v1'
const someone = (): Promise<Account> => makeAccount(portal.pool, { projects: 1, panels: 1 })
const resource = (type: string, id: number, attributes: object) => ({
  data: { type, id: String(id), attributes },
})

test('a guess at what is not read of a row is answered the same, whether it is right or wrong', async () => {
  const [ana, guest] = [await someone(), await someone()]
  const { permission } = await portal.share(ana, guest)
  const own = (await portal.as(ana).get(`${base}/clients/${ana.id}`)).one.attributes ?? {}
  const guess = (type: string, id: number, attributes: object) =>
    portal.as(guest).patch(`${base}/${type}/${id}`, resource(type, id, attributes))
  const { billing_status, current_project_id, language_id, first_name, email } = own
  const [right, wrong] = [
    await guess('clients', ana.id, { billing_status, current_project_id, language_id }),
    await guess('clients', ana.id, { billing_status: 6, current_project_id: 1, language_id: 2 }),
  ]
  expect([right.status, right.text]).toEqual([403, wrong.text])
  const { permissions } =
    (await portal.as(ana).get(`${base}/share-permissions/${permission}`)).one.attributes ?? {}
  expect((await guess('share-permissions', permission, { permissions })).status).toBe(403)
  // A person may write back the values that they read.
  expect((await guess('clients', ana.id, { first_name, email })).status).toBe(200)
})

test('an idempotent answer from before access was removed is not repeated after it', async () => {
  const [ana, guest] = [await someone(), await someone()]
  const { permission } = await portal.share(ana, guest, { add_panels: 'allowed' })
  const project = { data: { type: 'projects', id: String(ana.projects[0]) } }
  const body = {
    data: { type: 'panels', attributes: { name: 'Of a guest' }, relationships: { project } },
  }
  const add = () =>
    portal.as(guest).call('POST', `${base}/panels`, { body, headers: { 'idempotency-key': 'the-same' } })
  const [first, again] = [await add(), await add()]
  expect([first.status, again.status, again.text]).toEqual([201, 201, first.text])
  const url = `${base}/panels/${first.one.id}/-actions/sync`
  const sync = () => portal.as(guest).call('POST', url, { body: {}, headers: { 'idempotency-key': 'sync' } })
  await portal.pool.kysely
    .updateTable('panels')
    .set({ external_id: 'made' })
    .where('id', '=', Number(first.one.id))
    .execute()
  expect([(await sync()).status, (await sync()).headers['idempotency-replayed']]).toEqual([200, 'true'])
  await portal.as(ana).delete(`${base}/share-permissions/${permission}`)
  expect([(await add()).status, (await sync()).status]).toEqual([404, 404])
})

test('a key is returned once, and again only for the same idempotent request', async () => {
  const ana = await someone()
  const attributes = { name: 'Backup', allowed_ips: ['127.0.0.1'], scopes: ['panels:read'], expires_at: null }
  const make = () =>
    portal.as(ana).call('POST', `${base}/api-keys`, {
      body: { data: { type: 'api-keys', attributes } },
      headers: { 'idempotency-key': 'backup' },
    })
  const [first, again] = [await make(), await make()]
  expect(first.one.attributes?.secret).toMatch(/^pk_/)
  expect([again.status, again.one.id, again.one.attributes?.secret]).toEqual([201, first.one.id, null])
})

test('of concurrent requests for exports two succeed', async () => {
  const ana = await someone()
  const statuses: number[] = []
  const asked: Promise<unknown>[] = []
  await portal.pool.kysely.transaction().execute(async (tx) => {
    await sql`lock table billing_logs in access exclusive mode`.execute(tx)
    for (let count = 0; count < 5; count++)
      asked.push(
        portal
          .as(ana)
          .get(`${base}/billing-logs/-actions/export`)
          .then(({ status }) => statuses.push(status)),
      )
    await vi.waitFor(() => expect(statuses).toEqual([429, 429, 429]))
  })
  await Promise.all(asked)
  expect(statuses.slice(3)).toEqual([200, 200])
})
