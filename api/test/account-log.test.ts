import { securityLog } from '@portico/contract/calls/account/security.ts'
import { mediaType } from '@portico/contract/wire.ts'
import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { eraseClosed } from '#privacy/erase-account.ts'
import { signInData } from '#privacy/personal-data.ts'
import { panelGone } from '#workspaces/panel-state.ts'
import { testApp } from './support/app.ts'
import { testDatabase } from './support/database.ts'
import { newestLetter } from './support/mail.ts'
import { Browser, person } from './support/people.ts'

// The account log that only the owner reads: every act over HTTP by the owner, a guest and an API key.

const { pool } = await testDatabase()
const db = pool.kysely
const { app } = await testApp(pool, { env: { rateLimitScale: 1000 } })

type Body = { type: string; id?: string; attributes?: object; relationships?: object }
const to = (type: string, id: number | string) => ({ data: { type, id: String(id) } })

function asking(browser: Browser, token?: string) {
  return async (method: 'POST' | 'PATCH' | 'DELETE', url: string, data?: Body | object) => {
    const authorization = `Bearer ${token ?? browser.cookies.get('token')}`
    const headers = { authorization, 'content-type': mediaType }
    const answer = await browser.ask({
      method,
      url: `/api/v1/${url}`,
      headers,
      ...(data && { payload: JSON.stringify({ data }) }),
    })
    expect(answer.statusCode, `${method} ${url}: ${answer.body}`).toBeLessThan(300)
    return answer.body === '' ? undefined : answer.json().data
  }
}

async function signedIn(name: string, firstName: string) {
  const one = await person(pool, `${name}@log.test`)
  await db.updateTable('clients').set({ first_name: firstName }).where('id', '=', one.id).execute()
  const browser = new Browser(app)
  await browser.signIn(one.email)
  const project = await db
    .selectFrom('projects')
    .select('id')
    .where('client_id', '=', one.id)
    .executeTakeFirstOrThrow()
  return { ...one, browser, ask: asking(browser), project: project.id }
}

async function readLog(browser: Browser) {
  const answer = await browser.get('/api/user/security-log')
  return z.parse(securityLog.output, answer.json()).events
}

/** The acts in the log, the oldest first. */
async function acts(browser: Browser): Promise<string[]> {
  const events = await readLog(browser)
  return events
    .filter(({ actor }) => actor !== null)
    .map(({ kind, about, actor, details }) =>
      [kind, about, `by ${actor?.kind} ${actor?.name}`, details && JSON.stringify(details)]
        .filter(Boolean)
        .join(', '),
    )
    .reverse()
}

const rights = (more: object = {}) => ({
  permissions: { billing: 'denied', tickets: 'denied', my_workspaces: 'allowed', workspaces: [], ...more },
})

async function invite(owner: Awaited<ReturnType<typeof signedIn>>, email: string) {
  const permission = await owner.ask('POST', 'share-permissions', {
    type: 'share-permissions',
    attributes: rights(),
  })
  const invitation = await owner.ask('POST', 'share-invitations', {
    type: 'share-invitations',
    attributes: { first_name: 'Mihai', last_name: 'Dobre', invited_email: email },
    relationships: { permission: to('share-permissions', permission.id) },
  })
  return { permission: permission.id, invitation: invitation.id }
}

async function accept(guest: Awaited<ReturnType<typeof signedIn>>) {
  const { link } = await newestLetter(pool, guest.email, 'invitation')
  await guest.ask('POST', 'share-invitations/-actions/acceptInvitation', {
    token: link.replace('/invitation/', ''),
  })
}

test('workspaces and panels: added, renamed, moved and deleted, by the owner and by an API key', async () => {
  const ana = await signedIn('ana', 'Ana')
  const made = await ana.ask('POST', 'projects', { type: 'projects', attributes: { name: 'Shop' } })
  await ana.ask('PATCH', `projects/${made.id}`, {
    type: 'projects',
    id: made.id,
    attributes: { name: 'Store' },
  })
  const key = await ana.ask('POST', 'api-keys', {
    type: 'api-keys',
    attributes: {
      name: 'deploy',
      allowed_ips: ['127.0.0.1'],
      scopes: ['panels:read', 'panels:write'],
      expires_at: null,
    },
  })
  const program = asking(new Browser(app), key.attributes.secret)
  const panel = await program('POST', 'panels', {
    type: 'panels',
    attributes: { name: 'web', plan_code: null },
    relationships: { project: to('projects', made.id) },
  })
  const change = (more: object) =>
    ana.ask('PATCH', `panels/${panel.id}`, { type: 'panels', id: panel.id, ...more })
  await change({ attributes: { name: 'web' } })
  await change({ attributes: { name: 'web-1' } })
  await change({ relationships: { project: to('projects', ana.project) } })
  await ana.ask('POST', `projects/${made.id}/relationships/panels`, [{ type: 'panels', id: panel.id }])
  await program('DELETE', `panels/${panel.id}`)
  await panelGone(db, Number(panel.id), '2026-03-18T12:00:00Z')
  await ana.ask('DELETE', `projects/${made.id}`)
  expect(await acts(ana.browser)).toEqual([
    'workspace-added, Shop, by owner Ana Example',
    'workspace-renamed, Store, by owner Ana Example, {"from":"Shop"}',
    'api-key-created, deploy, by owner Ana Example',
    'panel-added, web, by key deploy',
    'panel-renamed, web-1, by owner Ana Example, {"from":"web"}',
    'panel-moved, web-1, by owner Ana Example, {"from":"Store","to":"My Workspace"}',
    'panel-moved, web-1, by owner Ana Example, {"from":"My Workspace","to":"Store"}',
    'panel-deleted, web-1, by key deploy',
    'workspace-deleted, Store, by owner Ana Example',
  ])
})

test("sharing: invitations, changed permissions, a guest's acts and the end are logged", async () => {
  const owner = await signedIn('owner', 'Olga')
  const guest = await signedIn('guest', 'Mihai')
  const { permission, invitation } = await invite(owner, guest.email)
  await db.updateTable('share_invitations').set({ last_sent_at: '2026-01-01T00:00:00Z' }).execute()
  await owner.ask('POST', `share-invitations/${invitation}/-actions/resendEmail`, {})
  await accept(guest)
  const save = (more: object) =>
    owner.ask('PATCH', `share-permissions/${permission}`, {
      type: 'share-permissions',
      id: permission,
      attributes: rights(more),
    })
  await save({})
  await save({ add_panels: 'allowed', billing: 'allowed' })
  const workspaces = [{ id: owner.project, access_type: 'all', selected: 'allowed', add_panels: 'allowed' }]
  await save({ add_panels: 'allowed', billing: 'allowed', workspace_resources: 'custom', workspaces })
  await guest.ask('POST', 'panels', {
    type: 'panels',
    attributes: { name: 'of the guest', plan_code: null },
    relationships: { project: to('projects', owner.project) },
  })
  const listed = (await guest.browser.get('/api/v1/client-panels')).json().data
  await guest.ask('POST', `client-panels/${listed[0].id}/-actions/leave`, {})
  const again = await invite(owner, guest.email)
  await owner.ask('DELETE', `share-invitations/${again.invitation}`)
  await invite(owner, guest.email)
  await accept(guest)
  const [last] = (await owner.browser.get('/api/v1/share-permissions')).json().data
  await owner.ask('DELETE', `share-permissions/${last.id}`)
  expect(await acts(owner.browser)).toEqual([
    `invitation-sent, ${guest.email}, by owner Olga Example`,
    `invitation-resent, ${guest.email}, by owner Olga Example`,
    `invitation-accepted, ${guest.email}, by guest Mihai Example`,
    `permission-changed, ${guest.email}, by owner Olga Example, ${JSON.stringify({
      permissions: { billing: ['denied', 'allowed'], add_panels: ['denied', 'allowed'] },
      listed: false,
    })}`,
    `permission-changed, ${guest.email}, by owner Olga Example, ${JSON.stringify({
      permissions: { workspace_resources: ['all', 'custom'] },
      listed: true,
    })}`,
    'panel-added, of the guest, by guest Mihai Example',
    `guest-left, ${guest.email}, by guest Mihai Example`,
    `invitation-sent, ${guest.email}, by owner Olga Example`,
    `invitation-removed, ${guest.email}, by owner Olga Example`,
    `invitation-sent, ${guest.email}, by owner Olga Example`,
    `invitation-accepted, ${guest.email}, by guest Mihai Example`,
    `guest-removed, ${guest.email}, by owner Olga Example`,
  ])
  expect(await acts(guest.browser)).toEqual([])
  const ofGuest = (await readLog(owner.browser)).filter(({ actor }) => actor?.kind === 'guest')
  expect(ofGuest.map(({ ip }) => ip)).toEqual(ofGuest.map(() => null))
  const { security_log: copied = [] } = (await signInData(db, owner.id)) ?? {}
  expect(copied.filter(({ kind }) => kind === 'permission-changed')).toHaveLength(2)
  expect(copied.at(-1)).toMatchObject({
    kind: 'guest-removed',
    actor: { kind: 'owner', name: 'Olga Example' },
  })
})

test('refused and rolled back acts are in no log', async () => {
  const eva = await signedIn('eva', 'Eva')
  const refused = await eva.browser.send('DELETE', `/api/v1/projects/${eva.project}`)
  const taken = await eva.browser.ask({
    method: 'POST',
    url: '/api/v1/projects',
    headers: { authorization: `Bearer ${eva.browser.cookies.get('token')}`, 'content-type': mediaType },
    payload: JSON.stringify({ data: { type: 'projects', attributes: { name: 'my workspace' } } }),
  })
  expect([refused.statusCode, taken.statusCode]).toEqual([409, 409])
  expect(await acts(eva.browser)).toEqual([])
})

test('a guest who is erased is not named in the log of an owner any more', async () => {
  const owner = await signedIn('keeper', 'Kim')
  const guest = await signedIn('gone', 'Radu')
  await invite(owner, guest.email)
  await accept(guest)
  await db
    .updateTable('clients')
    .set({ status: 4, closed_at: '2026-01-01T00:00:00Z' })
    .where('id', '=', guest.id)
    .execute()
  await eraseClosed(db, new Date('2027-01-01T00:00:00Z'))
  const log = JSON.stringify(await readLog(owner.browser))
  expect(log).toContain('invitation-accepted')
  expect(log).not.toMatch(/gone@log\.test|Radu/)
})
