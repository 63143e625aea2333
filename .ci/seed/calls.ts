import { mediaType } from '@portico/contract/wire.ts'
import { expect } from 'vitest'
import type { Browser } from '../../api/test/support/people.ts'
import { type People, signIn } from './people.ts'
import { create } from './rows.ts'
import { userFields } from './types.ts'

/** The other side of a call: the person, and how mail and Google are reached. */
export type OutsideContext = People & {
  /** A person without a session. */
  readonly stranger: () => Browser
  /** The callback address that Google redirects to. */
  readonly fromGoogle: (browser: Browser) => Promise<string>
  /** The path of the newest confirmation letter. */
  readonly confirmation: (email: string) => Promise<string>
  /** The token of the newest invitation letter. */
  readonly invitation: (email: string) => Promise<string>
}

type Answer = Awaited<ReturnType<Browser['get']>>

const data = (answer: Answer) => answer.json().data
const ok = (answer: Answer, status = 200) => {
  expect(answer.statusCode, answer.body.slice(0, 400)).toBe(status)
  return answer.statusCode === 204 ? undefined : answer.json()
}
const list = async (browser: Browser, path: string) => ok(await browser.get(`/api/v1/${path}`)).data
const ownId = async (browser: Browser): Promise<number> => ok(await browser.get('/api/user')).id

/** A write with JSON:API's media type. */
const write = (browser: Browser, method: 'POST' | 'PATCH' | 'DELETE', path: string, payload?: object) =>
  browser.ask({
    method,
    url: `/api/v1/${path}`,
    headers: {
      authorization: `Bearer ${browser.cookies.get('token')}`,
      ...(payload && { 'content-type': mediaType }),
    },
    ...(payload && { payload: JSON.stringify(payload) }),
  })

const auth = {
  'GET /auth/token, query refreshToken': async ({ stranger }: OutsideContext) => {
    const browser = stranger()
    await signIn(browser, 'hans')
    const body = ok(await browser.refresh())
    expect(body).toEqual({ access_token: expect.any(String), refresh_token: expect.any(String) })
  },
  'GET /auth/callback, callback query': async ({ stranger }: OutsideContext) => {
    const body = ok(await signIn(stranger(), 'hans'))
    expect(body).toMatchObject({ token: expect.any(String), refreshToken: expect.any(String) })
    expect(userFields.filter((name) => !(name in body.user))).toEqual([])
  },
  'GET /auth/google/callback, callback query': async ({ stranger, fromGoogle }: OutsideContext) => {
    const browser = stranger()
    const body = ok(await browser.get(await fromGoogle(browser)))
    expect(body).toMatchObject({ access_token: expect.any(String), refresh_token: expect.any(String) })
    // A person who registered with Google has not completed the registration yet.
    expect(body.user).toMatchObject({ google_process: 0, email: 'newcomer@example.test' })
  },
  'GET /api/user': async ({ ana }: OutsideContext) => {
    const body = ok(await ana.get('/api/user'))
    expect(userFields.filter((name) => !(name in body))).toEqual([])
  },
  'GET /api/user/logout': async ({ stranger }: OutsideContext) => {
    const browser = stranger()
    await signIn(browser, 'hans')
    const token = browser.cookies.get('token')
    ok(await browser.get('/api/user/logout'))
    expect(browser.cookies.has('token')).toBe(false)
    expect((await browser.get('/api/user', token)).statusCode).toBe(401)
  },
  'GET /auth/verify-email/{id}/{hash}, with query': async ({ stranger, confirmation }: OutsideContext) => {
    const browser = stranger()
    const somebody = { first_name: 'New', last_name: 'Comer', email: 'verify@example.test', terms: true }
    ok(
      await browser.ask({
        method: 'POST',
        url: '/auth/register',
        payload: { ...somebody, password: 'nine green bottles' },
      }),
    )
    const path = await confirmation(somebody.email)
    expect(path).toMatch(/^\/verify-email\/\d+\/[\w-]+/)
    ok(await browser.get(`/auth${path}`))
  },
  'GET /api/mail/resend-confirmation, query email': async ({ stranger }: OutsideContext) => {
    const body = ok(await stranger().get('/api/mail/resend-confirmation?email=verify%40example.test'))
    expect(body.status).toBe(true)
  },
} as const

const dataApi = {
  'GET /{type} with include, fields[type], filter[field], page[number], page[size], sort': async ({
    ana,
  }: OutsideContext) => {
    const body = ok(
      await ana.get(
        '/api/v1/panels?include=project&fields[panels]=name,project&filter[status]=active&page[number]=1&page[size]=2&sort=-createdAt',
      ),
    )
    expect(body.data).toHaveLength(2)
    expect(Object.keys(body.data[0].attributes)).toEqual(['name'])
    expect(body.included[0].type).toBe('projects')
  },
  'GET /{type}/{id} with include': async ({ ana }: OutsideContext) => {
    const [panel] = await list(ana, 'panels')
    const body = ok(await ana.get(`/api/v1/panels/${panel.id}?include=project`))
    expect(body).toMatchObject({ data: { id: panel.id }, included: [{ type: 'projects' }] })
  },
  'POST /{type}, PATCH /{type}/{id}, DELETE /{type}/{id}': async ({ hans }: OutsideContext) => {
    const made = data(await create(hans, 'projects', { name: 'Short lived' }))
    const renamed = { data: { type: 'projects', id: made.id, attributes: { name: 'Renamed' } } }
    const body = ok(await write(hans, 'PATCH', `projects/${made.id}`, renamed))
    expect(body.data.attributes.name).toBe('Renamed')
    ok(await write(hans, 'DELETE', `projects/${made.id}`), 204)
    expect((await hans.get(`/api/v1/projects/${made.id}`)).statusCode).toBe(404)
  },
  '/{type}/{id}/relationships/{rel}: GET, POST, PATCH, DELETE': async ({ ana }: OutsideContext) => {
    const [from, to] = await list(ana, 'projects?include=panels&sort=name')
    const one = (id: string) => `projects/${id}/relationships/panels`
    const members = async (id: string) => list(ana, one(id))
    const [moved] = await members(from.id)
    const before = await members(to.id)
    ok(await write(ana, 'POST', one(to.id), { data: [moved] }))
    expect(await members(to.id)).toContainEqual(moved)
    // A panel is always in a workspace, so it is removed from one by moving it to another.
    expect((await write(ana, 'DELETE', one(to.id), { data: [moved] })).statusCode).toBe(403)
    const back = { data: { type: 'projects', id: from.id } }
    ok(await write(ana, 'PATCH', `panels/${moved.id}/relationships/project`, back))
    expect(await members(to.id)).toEqual(before)
  },
  'GET /{type}/{id}/-actions/{action} or /{type}/-actions/{action}, query parameter payload': async ({
    ana,
  }: OutsideContext) => {
    const id = await ownId(ana)
    const payload = encodeURIComponent(JSON.stringify({ client_id: id }))
    const sum = await ana.get(`/api/v1/invoices/-actions/getServiceBillsSum?payload=${payload}`)
    expect(ok(sum)).toBeTypeOf('number')
    ok(await ana.get(`/api/v1/clients/${id}/-actions/checkNegativeNumberOfDays?payload={}`))
  },
} as const

/** The steps of an invitation, in the browser's order. */
const sharing = {
  'share-invitations list sorted by -createdAt': async ({ ana }: OutsideContext) => {
    const rows: { attributes: { createdAt: string } }[] = await list(ana, 'share-invitations?sort=-createdAt')
    const days = rows.map(({ attributes }) => attributes.createdAt)
    expect(days.length).toBeGreaterThan(1)
    expect(days).toEqual(days.toSorted().reverse())
  },
  'POST /share-invitations/{id}/-actions/resendEmail': async ({ ana }: OutsideContext) => {
    const permission = data(await create(ana, 'share-permissions', {}))
    const link = { permission: { data: { type: 'share-permissions', id: permission.id } } }
    const person = { first_name: 'Hans', last_name: 'Becker', invited_email: 'hans@demo.test' }
    const made = data(await create(ana, 'share-invitations', person, link))
    const again = await write(ana, 'POST', `share-invitations/${made.id}/-actions/resendEmail`, {})
    // The first letter was just sent: another can be requested in five minutes, for an older one at once.
    expect(again.statusCode).toBe(429)
    const rows = await list(ana, 'share-invitations?filter[accepted]=false&sort=createdAt')
    const older = await write(ana, 'POST', `share-invitations/${rows[0].id}/-actions/resendEmail`, {})
    expect(ok(older)).toEqual({ status: true })
  },
  'share-invitations acceptInvitation with payload': async ({ hans, invitation }: OutsideContext) => {
    const token = await invitation('hans@demo.test')
    const url = 'share-invitations/-actions/acceptInvitation'
    expect((await hans.get(`/api/v1/${url}?payload[token]=${token}`)).statusCode).toBe(405)
    const body = ok(await write(hans, 'POST', url, { data: { token } }))
    expect(body).toMatchObject({ status: true, share_invitation: { accepted: true } })
  },
  'share-invitations save (PATCH)': async ({ ana, hans }: OutsideContext) => {
    const [own] = await list(ana, 'share-invitations?filter[accepted]=true&sort=-createdAt')
    const by = await ownId(hans)
    const sent = { accepted: true, accepted_by_client_id: by }
    ok(
      await write(hans, 'PATCH', `share-invitations/${own.id}`, {
        data: { type: 'share-invitations', id: own.id, attributes: sent },
      }),
    )
  },
  'share-permissions setInvitedClientId (POST action), payload invited_client_id': async ({
    ana,
    hans,
  }: OutsideContext) => {
    const [own] = await list(ana, 'share-invitations?filter[accepted]=true&sort=-createdAt')
    const url = `share-permissions/${own.attributes.permission_id}/-actions/setInvitedClientId`
    expect(ok(await write(hans, 'POST', url, { invited_client_id: await ownId(hans) })).status).toBe(true)
  },
  'client-panels createNewClientPanel (POST action), payload share_permission_id': async ({
    ana,
    hans,
  }: OutsideContext) => {
    const [own] = await list(ana, 'share-invitations?filter[accepted]=true&sort=-createdAt')
    const sent = { share_permission_id: own.attributes.permission_id }
    const body = ok(await write(hans, 'POST', 'client-panels/-actions/createNewClientPanel', sent))
    expect(body.client_panels.length).toBeGreaterThan(0)
  },
  'DELETE /share-invitations/{id}': async ({ ana, hans }: OutsideContext) => {
    const [own] = await list(ana, 'share-invitations?filter[accepted]=true&sort=-createdAt')
    ok(await write(ana, 'DELETE', `share-invitations/${own.id}`), 204)
    expect(await list(hans, 'client-panels')).toEqual([])
  },
} as const

const account = {
  'clients save': async ({ ana }: OutsideContext) => {
    const id = await ownId(ana)
    const whole = ok(await ana.get(`/api/v1/clients/${id}`)).data
    // The original client strips two fields; sending back everything that was read works, too.
    const sent = { type: 'clients', id: whole.id, attributes: { ...whole.attributes, first_name: 'Anna' } }
    expect(ok(await write(ana, 'PATCH', `clients/${id}`, { data: sent })).data.attributes.first_name).toBe(
      'Anna',
    )
  },
  'GET /projects with include panels': async ({ ana }: OutsideContext) => {
    const body = ok(await ana.get('/api/v1/projects?include=panels'))
    expect(body.included.length).toBeGreaterThanOrEqual(6)
  },
  'POST /projects with name': async ({ ioana }: OutsideContext) => {
    const made = ok(await create(ioana, 'projects', { name: 'Second' }), 201)
    expect(made.data.id).toMatch(/^\d+$/)
    expect(ok(await ioana.get('/api/user')).current_project_id).toBe(Number(made.data.id))
  },
  'POST /clients/{id}/-actions/updateCurrentProject, payload current_project_id': async ({
    ana,
  }: OutsideContext) => {
    const [, second] = await list(ana, 'projects')
    const sent = { current_project_id: Number(second.id) }
    const url = `clients/${await ownId(ana)}/-actions/updateCurrentProject`
    expect(ok(await write(ana, 'POST', url, sent))).toEqual(sent)
  },
  'GET /account-balances filtered by client_id': async ({ ana }: OutsideContext) => {
    const id = await ownId(ana)
    const rows = await list(ana, `account-balances?filter[client_id]=${id}`)
    expect(rows).toMatchObject([{ attributes: { client_id: id, account_balance: expect.any(Number) } }])
  },
  'GET action getServiceBillsSum on invoices with client id': async ({ ioana }: OutsideContext) => {
    const url = `/api/v1/invoices/-actions/getServiceBillsSum?payload[client_id]=${await ownId(ioana)}`
    expect(ok(await ioana.get(url))).toBeTypeOf('number')
  },
  'GET action checkNegativeNumberOfDays on clients/{id}': async ({ ioana }: OutsideContext) => {
    const url = `/api/v1/clients/${await ownId(ioana)}/-actions/checkNegativeNumberOfDays`
    expect(ok(await ioana.get(url))).toEqual({ days: expect.any(Number) })
  },
} as const

/** Each required call except the public look-up, which another host serves, in an order that works. */
export const calls: Readonly<Record<string, (outsideContext: OutsideContext) => Promise<void>>> = {
  ...auth,
  ...dataApi,
  ...sharing,
  ...account,
}
