import { base } from '@portico/contract/wire.ts'
import { expect, test } from 'vitest'
import { makeVault } from '#platform/vault.ts'
import { completeAcceptance } from '#sharing/accept-invitation.ts'
import { makeAccount } from '#test/support/account.ts'
import { testPortal } from '#test/support/portal.ts'
import { tokenSecret } from '#test/support/secret.ts'
import { makeAdmin, makeTicket } from '#test/support/ticket.ts'
import { updatePanelStatuses } from '#workspaces/panel-state.ts'
import { notify } from './notifications.ts'

const portal = await testPortal()
const db = portal.pool.kysely
const someone = () => makeAccount(portal.pool, { projects: 1, panels: 1 })

const notificationsOf = async (client: { readonly id: number }, query = '') =>
  (await portal.as(client).get(`${base}/notifications${query}`)).list.map(
    ({ attributes }) => attributes ?? {},
  )

test('an owner is notified when an invitation is accepted', async () => {
  const [owner, guest] = [await someone(), await someone()]
  const me = portal.as(owner)
  const make = async (type: string, attributes: object, relationships: object) =>
    (await me.post(`${base}/${type}`, { data: { type, attributes, relationships } })).one.id
  const permission = await make('share-permissions', {}, {})
  const invitation = Number(
    await make(
      'share-invitations',
      { first_name: 'A', last_name: 'B', invited_email: guest.email },
      { permission: { data: { type: 'share-permissions', id: permission } } },
    ),
  )
  expect(await notificationsOf(owner)).toEqual([])
  const given = { id: invitation, client_id: owner.id, permission_id: Number(permission) }
  await db
    .transaction()
    .execute((tx) =>
      completeAcceptance({ tx, now: new Date(), vault: makeVault(tokenSecret) }, given, guest.id),
    )
  expect(await notificationsOf(owner)).toMatchObject([
    { kind: 'invitation_accepted', about_id: invitation, params: { name: 'Ana Pop' }, read: false },
  ])
  expect(await notificationsOf(guest)).toEqual([])
})

test('a client is notified of an answer of staff once while it is unread, and not of notes', async () => {
  const owner = await someone()
  const support = portal.staff(await makeAdmin(portal.pool))
  const { ticket } = await makeTicket(portal.pool, { client: owner.id, panel: null })
  const say = (visibility: string) =>
    support.post(`${base}/ticket-messages`, {
      data: {
        type: 'ticket-messages',
        attributes: { body: 'Look again', visibility },
        relationships: { ticket: { data: { type: 'tickets', id: String(ticket) } } },
      },
    })
  expect((await say('internal')).status).toBe(201)
  expect(await notificationsOf(owner)).toEqual([])
  for (let n = 0; n < 2; n++) expect((await say('public')).status).toBe(201)
  expect(await notificationsOf(owner)).toMatchObject([{ kind: 'ticket_answered', about_id: ticket }])
})

test('an owner is notified when a panel becomes degraded, and not while it stays so', async () => {
  const owner = await someone()
  const [panel = 0] = owner.panels
  const engineSays = async (engine_status: 'active' | 'degraded') => {
    await db.updateTable('panels').set({ engine_status }).where('id', '=', panel).execute()
    await updatePanelStatuses(db, [panel])
  }
  await engineSays('active')
  expect(await notificationsOf(owner)).toEqual([])
  await engineSays('degraded')
  await engineSays('degraded')
  expect(await notificationsOf(owner)).toMatchObject([{ kind: 'panel_degraded', about_id: panel }])
  await engineSays('active')
  await engineSays('degraded')
  expect(await notificationsOf(owner)).toHaveLength(1)
})

test('marks one as read, or all of the reader’s own', async () => {
  const [owner, other] = [await someone(), await someone()]
  for (const { id } of [owner, other])
    for (const about of [1, 2, 3])
      await notify(db, id, { kind: 'payment_failed', about, params: { amount: '10.00' } })
  const me = portal.as(owner)
  const [first] = (await me.get(`${base}/notifications`)).list
  const read = (id: string | undefined, visitor = me) =>
    visitor.patch(`${base}/notifications/${id}`, {
      data: { type: 'notifications', id, attributes: { read: true } },
    })
  expect((await read(first?.id, portal.as(other))).status).toBe(404)
  expect((await read(first?.id)).one.attributes).toMatchObject({ read: true })
  expect(await notificationsOf(owner, '?filter[unread]=true')).toHaveLength(2)
  expect(await notificationsOf(owner, '?filter[unread]=false')).toHaveLength(1)
  const all = await me.post(`${base}/notifications/-actions/markAllRead`, { data: {} })
  expect([all.status, JSON.parse(all.text)]).toEqual([200, { status: true }])
  expect(await notificationsOf(owner, '?filter[unread]=true')).toEqual([])
  expect(await notificationsOf(other, '?filter[unread]=true')).toHaveLength(3)
  expect(portal.bugs).toEqual([])
})
