import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { type Account, makeAccount } from '#test/support/account.ts'
import type { Answer } from '#test/support/answer.ts'
import { lettersTo, newestLetter } from '#test/support/mail.ts'
import { testPortal } from '#test/support/portal.ts'

const portal = await testPortal()
const db = portal.pool.kysely
const base = '/api/v1/share-invitations'
const minute = 60_000
const day = 24 * 60 * minute

const someone = (): Promise<Account> => makeAccount(portal.pool, { projects: 2, panels: 2 })

/** Moves the server's clock on from where it is. */
function forward(ms: number): void {
  portal.clock.time = new Date((portal.clock.time ?? new Date()).getTime() + ms)
}

async function newPermission(owner: Account, permissions?: unknown): Promise<string> {
  const attributes = permissions === undefined ? {} : { permissions }
  const made = await portal
    .as(owner)
    .post('/api/v1/share-permissions', { data: { type: 'share-permissions', attributes } })
  return made.one.id
}

const invitation = (email: string, permission: string, more: object = {}) => ({
  data: {
    type: 'share-invitations',
    attributes: { first_name: 'Mihai', last_name: 'Dobre', invited_email: email, ...more },
    relationships: { permission: { data: { type: 'share-permissions', id: permission } } },
  },
})

async function invite(owner: Account, email: string, permissions?: unknown): Promise<Answer> {
  return portal.as(owner).post(base, invitation(email, await newPermission(owner, permissions)))
}

const tokenTo = async (email: string) =>
  (await newestLetter(portal.pool, email, 'invitation')).link.replace('/invitation/', '')

const accept = (guest: Account, token: string) =>
  portal.as(guest).post(`${base}/-actions/acceptInvitation`, { data: { token } })

/** An owner who invited a guest, who has not answered yet. */
async function invited(permissions?: unknown) {
  const [ana, mihai] = [await someone(), await someone()]
  const made = await invite(ana, mihai.email, permissions)
  expect(made.status, made.text).toBe(201)
  return { ana, mihai, made, url: `${base}/${made.one.id}`, token: await tokenTo(mihai.email) }
}

const seenPanels = async (guest: Account, owner: Account) =>
  (await portal.as(guest).get(`/api/v1/panels?filter[client_id]=${owner.id}`)).page.total

test('an invitation is sent, accepted, and opens what its permission says at the next request', async () => {
  const { ana, mihai, made, url, token } = await invited()
  expect(made.one.attributes).toMatchObject({
    client_id: ana.id,
    full_name: 'Mihai Dobre',
    initials: 'MD',
    accepted: false,
    accepted_by_client_id: null,
  })
  expect(await seenPanels(mihai, ana)).toBe(0)
  const answer = await accept(mihai, token)
  expect([answer.status, answer.json]).toEqual([
    200,
    {
      status: true,
      share_invitation: expect.objectContaining({
        id: Number(made.one.id),
        permission_id: Number(made.one.attributes?.permission_id),
        accepted: true,
        accepted_by_client_id: mihai.id,
        inviter_name: 'Ana Pop',
      }),
    },
  ])
  expect(await seenPanels(mihai, ana)).toBe(4)
  const after = await portal.as(ana).get(`${url}?include=acceptedBy,permission`)
  expect(after.one.attributes).toMatchObject({ accepted: true, accepted_by_client_id: mihai.id })
  expect(after.included.map(({ type }) => type).sort()).toEqual(['clients', 'share-permissions'])
  expect(await newestLetter(portal.pool, ana.email, 'invitation-accepted')).toMatchObject({
    other: 'Ana Pop',
    email: mihai.email,
  })
})

test('the three calls that older clients make after acceptance confirm what it has done', async () => {
  const { ana, mihai, url, token, made } = await invited()
  await accept(mihai, token)
  const permission = Number(made.one.attributes?.permission_id)
  const saved = await portal.as(mihai).patch(url, {
    data: {
      type: 'share-invitations',
      id: made.one.id,
      attributes: { ...made.one.attributes, accepted: true, accepted_by_client_id: mihai.id },
    },
  })
  expect(saved.faults).toEqual(['403 owner_only'])
  const [seen] = (await portal.as(mihai).get(`${base}?filter[client_id]=${ana.id}`)).list
  const same = await portal.as(mihai).patch(url, {
    data: { type: 'share-invitations', id: made.one.id, attributes: { ...seen?.attributes } },
  })
  expect([same.status, same.one.attributes]).toEqual([200, seen?.attributes])
  const set = await portal
    .as(mihai)
    .post(`/api/v1/share-permissions/${permission}/-actions/setInvitedClientId`, {
      data: { invited_client_id: mihai.id },
    })
  expect([set.status, set.json]).toEqual([200, { status: true }])
  const create = () =>
    portal.as(mihai).post('/api/v1/client-panels/-actions/createNewClientPanel', {
      data: { share_permission_id: permission },
    })
  const first = await create()
  expect(first.json).toMatchObject({ status: true, client_panels: [{}, {}, {}, {}] })
  expect((await create()).text).toBe(first.text)
})

test('the ladder of inviting: 401, 404, 404, 422, 409', async () => {
  const [ana, stranger] = [await someone(), await someone()]
  const [own, foreign] = [await newPermission(ana), await newPermission(stranger)]
  const post = (body: unknown) => portal.as(ana).post(base, body)
  expect((await portal.nobody.post(base, invitation('x@example.com', own))).status).toBe(401)
  const hidden = await post(invitation('x@example.com', foreign))
  const absent = await post(invitation('x@example.com', '999999999'))
  expect([hidden.status, hidden.text]).toEqual([404, absent.text])
  expect((await post(invitation('nobody', own))).faults).toEqual([
    '422 email_invalid /data/attributes/invited_email',
  ])
  expect((await post(invitation(ana.email.toUpperCase(), own))).faults).toEqual([
    '422 invitation_own_address /data/attributes/invited_email',
  ])
  expect((await post(invitation('x@example.com', own, { first_name: ' ' }))).faults).toEqual([
    '422 first_name_required /data/attributes/first_name',
  ])
  const accepting = await post(invitation('x@example.com', own, { accepted: true }))
  expect(accepting.faults).toEqual(['403 field_not_offered /data/attributes/accepted'])
  expect(await lettersTo(portal.pool, 'x@example.com')).toEqual([])
  expect((await post(invitation(' X@example.com ', own))).status).toBe(201)
  expect((await post(invitation('x@EXAMPLE.com', await newPermission(ana)))).faults).toEqual([
    '409 invitation_repeated /data/attributes/invited_email',
  ])
  expect((await post(invitation('y@example.com', own))).faults).toEqual([
    '409 permission_in_use /data/relationships/permission',
  ])
})

test('the ladder of accepting: 401, 404, 422, another address, 410, good, 409', async () => {
  const { mihai, token, url, ana } = await invited()
  const eve = await someone()
  expect((await portal.nobody.post(`${base}/-actions/acceptInvitation`, { token })).status).toBe(401)
  for (const unknown of ['x', '', 'A'.repeat(43)])
    expect((await accept(mihai, unknown)).faults).toEqual(['404 invitation_unknown'])
  expect((await accept(mihai, 'x'.repeat(201))).faults).toEqual(['422 characters_most /data/token'])
  const other = await accept(eve, token)
  expect([other.status, other.json]).toEqual([
    200,
    { status: false, reason: 'email_mismatch', share_invitation: { invited_email: mihai.email } },
  ])
  expect((await portal.as(ana).get(url)).one.attributes?.accepted).toBe(false)
  forward(14 * day)
  expect((await accept(mihai, token)).faults).toEqual(['410 invitation_expired'])
  forward(-minute)
  expect((await accept(mihai, token)).json).toMatchObject({ status: true })
  expect((await accept(mihai, token)).faults).toEqual(['409 invitation_accepted'])
  expect((await accept(eve, token)).faults).toEqual(['409 invitation_accepted'])
  portal.clock.time = undefined
})

test('the whole address counts, without regard to case and nothing else', async () => {
  const [ana, mihai] = [await someone(), await someone()]
  const [local, host] = mihai.email.split('@')
  for (const near of [`${local}+x@${host}`, `${local?.replace('-', '.')}@${host}`]) {
    await invite(ana, near)
    expect((await accept(mihai, await tokenTo(near))).json).toMatchObject({ status: false })
  }
  const loud = mihai.email.toUpperCase()
  await invite(ana, loud)
  expect((await accept(mihai, await tokenTo(loud))).json).toMatchObject({ status: true })
})

test('of many concurrent acceptances one succeeds', async () => {
  const { mihai, token } = await invited()
  const answers = await Promise.all(Array.from({ length: 3 }, () => accept(mihai, token)))
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409])
  expect(portal.bugs).toEqual([])
})

test('a current guest cannot be invited again, an expired one can', async () => {
  const { ana, mihai, token, made } = await invited()
  await accept(mihai, token)
  await db
    .updateTable('share_invitations')
    .set({ invited_email: 'old@example.com' })
    .where('id', '=', Number(made.one.id))
    .execute()
  expect((await invite(ana, mihai.email)).status).toBe(201)
  const again = await tokenTo(mihai.email)
  expect((await accept(mihai, again)).faults).toEqual(['409 account_shared_already'])
  await db
    .updateTable('share_permissions')
    .set({ expires_at: '2026-01-01T00:00:00Z' })
    .where('id', '=', Number(made.one.attributes?.permission_id))
    .execute()
  expect((await accept(mihai, again)).json).toMatchObject({ status: true })
  expect(await seenPanels(mihai, ana)).toBe(4)
})

test('an address that became one’s own does not let one share with oneself', async () => {
  const { ana, mihai, token } = await invited()
  await db.updateTable('clients').set({ email: 'moved@example.com' }).where('id', '=', mihai.id).execute()
  await db.updateTable('clients').set({ email: mihai.email }).where('id', '=', ana.id).execute()
  expect((await accept(ana, token)).faults).toEqual(['409 invitation_own'])
})

test('a new link replaces the old one, within the sending limits, and never after acceptance', async () => {
  portal.clock.time = new Date('2026-03-02T08:00:00Z')
  const { ana, mihai, url, token } = await invited()
  const resend = () => portal.as(ana).post(`${url}/-actions/resendEmail`, {})
  const soon = await resend()
  expect([soon.faults, soon.header('retry-after')]).toEqual([['429 invitation_sent_lately'], '300'])
  forward(5 * minute)
  expect((await resend()).json).toEqual({ status: true })
  expect((await accept(mihai, token)).faults).toEqual(['404 invitation_unknown'])
  for (let sent = 2; sent < 10; sent++) {
    forward(5 * minute)
    expect((await resend()).status, `${sent}`).toBe(200)
  }
  forward(5 * minute)
  expect((await resend()).faults).toEqual(['429 invitations_most'])
  // Withdrawing the invitation and sending it again does not evade the limit.
  await portal.as(ana).delete(url)
  expect((await invite(ana, mihai.email)).faults).toEqual(['429 invitations_most'])
  forward(day)
  await sql`update outbox_letters set created_at = created_at - interval '1 day'`.execute(db)
  const made = await invite(ana, mihai.email)
  expect(made.status).toBe(201)
  await accept(mihai, await tokenTo(mihai.email))
  expect((await portal.as(ana).post(`${base}/${made.one.id}/-actions/resendEmail`, {})).faults).toEqual([
    '409 invitation_accepted',
  ])
  portal.clock.time = undefined
})

test('a link that cannot be sent, because an address gets too many letters, leaves the old one alive', async () => {
  const { ana, mihai, url, token } = await invited()
  await sql`insert into outbox_letters (message_id, recipient, language, kind)
    select gen_random_uuid()::text, ${mihai.email}, 'en', 'invitation' from generate_series(1, 20)`.execute(
    db,
  )
  forward(5 * minute)
  const again = await portal.as(ana).post(`${url}/-actions/resendEmail`, {})
  expect([again.faults, again.header('retry-after')]).toEqual([['429 letters_most'], '3600'])
  expect((await accept(mihai, token)).status).toBe(200)
  portal.clock.time = undefined
})

test('an owner cannot write to the whole world in a day', async () => {
  portal.clock.time = new Date('2026-03-05T08:00:00Z')
  const ana = await someone()
  await sql`insert into share_invitation_mails (client_id, invited_email, sent_at)
    select ${ana.id}, 'p' || n || '@example.com', '2026-03-05T07:00:00Z' from generate_series(1, 50) n`.execute(
    db,
  )
  expect((await invite(ana, 'one-more@example.com')).faults).toEqual(['429 invitations_most'])
  portal.clock.time = undefined
})

test('only the hash of a token is kept', async () => {
  const { token, made } = await invited()
  const { rows } = await sql<{ row: string }>`select i::text as row from share_invitations i
    where id = ${Number(made.one.id)}`.execute(db)
  expect(token).toMatch(/^[\w-]{43}$/)
  expect(rows[0]?.row).not.toContain(token)
  expect((await portal.as(Number(made.one.attributes?.client_id)).get(base)).text).not.toContain(token)
})

test('the holder of the link reads who invites and to what, and an unknown link reveals nothing', async () => {
  const { ana, mihai, token } = await invited({
    billing: 'denied',
    tickets: 'allowed',
    my_workspaces: 'allowed',
    workspaces: [],
  })
  const look = (one: string) => portal.nobody.get(`${base}/-actions/preview?payload[token]=${one}`)
  const seen = await look(token)
  expect([seen.status, seen.json]).toEqual([
    200,
    expect.objectContaining({
      inviter_name: 'Ana Pop',
      invited_email: mihai.email,
      first_name: 'Mihai',
      permissions: {
        billing: 'denied',
        tickets: 'allowed',
        my_workspaces: 'allowed',
        add_panels: 'denied',
        delete_panels: 'denied',
        workspace_resources: 'all',
        account_access: 'all',
        domain_access: 'all',
        domains: 0,
        create_domains: 'denied',
        create_email: 'denied',
        create_dev_env: 'denied',
        workspaces: [],
      },
    }),
  ])
  expect(seen.text).not.toContain(ana.email)
  const [unknown, other] = [await look('A'.repeat(43)), await look('1234')]
  expect([unknown.status, unknown.text]).toEqual([404, other.text])
  await accept(mihai, token)
  expect((await look(token)).faults).toEqual(['409 invitation_accepted'])
})

test('a preview names the workspaces that are opened, and no others', async () => {
  const ana = await someone()
  const [first = 0, second = 0] = ana.projects
  const entry = (id: number, more: object) => ({ id, selected: 'allowed', panels: [], ...more })
  await invite(ana, 'look@example.com', {
    billing: 'denied',
    tickets: 'denied',
    my_workspaces: 'allowed',
    workspace_resources: 'custom',
    workspaces: [
      entry(first, { access_type: 'custom', panels: [ana.panels[0]] }),
      entry(second, { selected: 'denied' }),
    ],
  })
  const seen = await portal.nobody.get(
    `${base}/-actions/preview?payload[token]=${await tokenTo('look@example.com')}`,
  )
  expect(seen.json).toMatchObject({
    inviter_company: null,
    permissions: {
      account_access: 'all',
      workspaces: [
        { name: 'Workspace 1', access_type: 'custom', panels: 1, panel_names: [expect.any(String)] },
      ],
    },
  })
})

test('the letter names the company of the owner and the only panel that is opened', async () => {
  const ana = await someone()
  const [first = 0] = ana.projects
  await sql`update panels set name = 'mail-eu1' where id = ${ana.panels[0]}`.execute(db)
  await sql`insert into client_entities (client_id, account_type, company_name) values (${ana.id}, 1, 'Lumen Studio')
    on conflict (client_id) do update set account_type = 1, company_name = 'Lumen Studio'`.execute(db)
  await invite(ana, 'named@example.com', {
    billing: 'denied',
    tickets: 'denied',
    my_workspaces: 'allowed',
    workspace_resources: 'custom',
    workspaces: [{ id: first, selected: 'allowed', access_type: 'custom', panels: [ana.panels[0]] }],
  })
  const one = await newestLetter(portal.pool, 'named@example.com', 'invitation')
  expect([one.company, one.thing]).toEqual(['Lumen Studio', 'mail-eu1'])
  await sql`update client_entities set account_type = 2 where client_id = ${ana.id}`.execute(db)
  await invite(ana, 'all@example.com')
  const all = await newestLetter(portal.pool, 'all@example.com', 'invitation')
  expect([all.company, all.thing]).toEqual([null, null])
})

test('names can be corrected before acceptance, the address cannot', async () => {
  const { ana, mihai, url, token, made } = await invited()
  const patch = (attributes: object) =>
    portal.as(ana).patch(url, { data: { type: 'share-invitations', id: made.one.id, attributes } })
  expect((await patch({ first_name: 'Mihail' })).one.attributes).toMatchObject({
    full_name: 'Mihail Dobre',
  })
  expect((await patch({ invited_email: 'x@example.com' })).status).toBe(403)
  await accept(mihai, token)
  const late = await patch({ first_name: 'Mihai' })
  expect(late.errors[0]?.detail).toBe('The names cannot be changed: the invitation was already accepted.')
})

test('initials are the first letters of the first two words of the name', async () => {
  const ana = await someone()
  const made = await portal.as(ana).post(
    base,
    invitation('initials@example.com', await newPermission(ana), {
      first_name: 'ștefan  vodă',
      last_name: 'Cel Mare',
    }),
  )
  expect(made.one.attributes?.initials).toBe('ȘV')
})

test('removal ends everything that followed from the acceptance', async () => {
  const { ana, mihai, url, token, made } = await invited()
  await accept(mihai, token)
  const [project] = ana.projects
  const chosen = await portal.as(mihai).post(`/api/v1/clients/${mihai.id}/-actions/updateCurrentProject`, {
    data: { current_project_id: project },
  })
  expect(chosen.status).toBe(200)
  expect((await portal.as(mihai).delete(url)).status).toBe(403)
  expect((await portal.as(ana).delete(url)).status).toBe(204)
  expect(await seenPanels(mihai, ana)).toBe(0)
  // The oldest of their own.
  const me = await portal.as(mihai).get(`/api/v1/clients/${mihai.id}`)
  expect(me.one.attributes?.current_project_id).toBe(mihai.projects[1])
  expect((await portal.as(mihai).get('/api/v1/client-panels')).page.total).toBe(0)
  for (const gone of [url, `/api/v1/share-permissions/${made.one.attributes?.permission_id}`]) {
    expect((await portal.as(mihai).get(gone)).status).toBe(404)
    expect((await portal.as(ana).get(gone)).status).toBe(404)
  }
  expect(await newestLetter(portal.pool, mihai.email, 'access-removed')).toMatchObject({
    email: ana.email,
  })
  const { rows } = await sql<{ panel: number }>`select (payload ->> 'panelId')::int8 as panel
    from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
    where t.identifier = 'panel.revoke' and (payload ->> 'clientId')::int8 = ${mihai.id}`.execute(db)
  expect(rows.map(({ panel }) => panel).sort()).toEqual([...ana.panels].sort())
})

test('a withdrawn invitation cannot be accepted, and causes no notification', async () => {
  const { ana, mihai, url, token } = await invited()
  await portal.as(ana).delete(url)
  expect((await accept(mihai, token)).faults).toEqual(['404 invitation_unknown'])
  expect((await lettersTo(portal.pool, mihai.email)).map(({ kind }) => kind)).toEqual(['invitation'])
})

test('no other person sees an invitation, nor does the invited one before acceptance', async () => {
  const { mihai, url, ana } = await invited()
  const eve = await someone()
  for (const other of [mihai, eve]) {
    expect((await portal.as(other).get(url)).status).toBe(404)
    expect((await portal.as(other).get(`${base}?filter[client_id]=${ana.id}`)).page.total).toBe(0)
    expect((await portal.as(other).post(`${url}/-actions/resendEmail`, {})).status).toBe(404)
    expect((await portal.as(other).delete(url)).status).toBe(404)
  }
})

test('the server logged no bug', () => {
  expect(portal.bugs).toEqual([])
})

test('invitations that are sent at the same moment do not exceed what an owner may send in a day', async () => {
  const ana = await someone()
  await sql`insert into share_invitation_mails (client_id, invited_email, sent_at)
    select ${ana.id}, 'friend-' || n || '@example.com', ${(portal.clock.time ?? new Date()).toISOString()}
    from generate_series(1, 48) n`.execute(db)
  const permissions = await Promise.all(Array.from({ length: 12 }, () => newPermission(ana)))
  const all = await Promise.all(
    permissions.map((id, n) => portal.as(ana).post(base, invitation(`at-once-${n}@example.com`, id))),
  )
  expect(all.filter(({ status }) => status === 201)).toHaveLength(2)
  expect(all.filter(({ status }) => status === 429)).toHaveLength(10)
})
