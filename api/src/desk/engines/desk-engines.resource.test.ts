import { deskEngines } from '@portico/contract/resources/desk-engines.ts'
import { base } from '@portico/contract/wire.ts'
import { sql } from 'kysely'
import { pino } from 'pino'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { systemClock } from '#platform/clock.ts'
import { allowedHosts } from '#platform/egress.ts'
import { followSettings } from '#platform/settings/settings.ts'
import { makeVault } from '#platform/vault.ts'
import { makeAccount } from '#test/support/account.ts'
import { testApp } from '#test/support/app.ts'
import { exampleEngine } from '#test/support/example-engine.ts'
import { Browser } from '#test/support/people.ts'
import { testPortal, type Visitor } from '#test/support/portal.ts'
import { tokenSecret } from '#test/support/secret.ts'
import { makeMember } from '#test/support/staff.ts'
import { makeAdmin } from '#test/support/ticket.ts'
import { engineAdapters } from '#workspaces/engines/adapters.ts'

const allowedList = '127.0.0.1,localhost'
const engines = engineAdapters({
  clock: systemClock,
  publicUrl: 'http://localhost:3000',
  allowed: allowedHosts(allowedList.split(',')),
})
afterAll(engines.close)
const portal = await testPortal({
  engines,
  settings: async (pool) => {
    const source = { SEED: 'none', ENGINE_ALLOWED_HOSTS: allowedList }
    const parts = { pool, vault: makeVault(tokenSecret), log: pino({ level: 'silent' }) }
    const following = await followSettings(source, { tokenSecret }, parts)
    following.stop()
    return following
  },
})
const { pool } = portal
const db = pool.kysely
const admin = portal.staff(await makeAdmin(pool, 'admin'))

const secretOf = deskEngines.actions.add.output
const url = `${base}/desk-engines`
const add = (who: Visitor, data: object) =>
  who.post(`${url}/-actions/add`, {
    data: { name: 'Cluj', url: 'https://engine.example', is_default: false, ...data },
  })
const act = (who: Visitor, id: number, verb: string, data: object = {}) =>
  who.post(`${url}/${id}/-actions/${verb}`, { data })
const faults = ({ errors }: Awaited<ReturnType<typeof add>>) =>
  errors.map(({ status, code, source }) =>
    `${status} ${code} ${source?.pointer?.replace(/.*\//, '') ?? ''}`.trim(),
  )
const shown = async (code: string) => {
  const { list } = await admin.get(`${url}?page[size]=50`)
  const row = list.find(({ attributes }) => attributes?.code === code)
  const { is_default, state, detail, panels, secrets } = row?.attributes ?? {}
  return { id: Number(row?.id), is_default, state, detail, panels, secrets }
}

test('an engine is added, asked, made the default and given another secret', async () => {
  // It begins with a secret of its own, as it is not known before.
  const answer = await add(admin, { name: 'Cluj 1', url: 'http://127.0.0.1:9', is_default: true })
  const { code, secret } = secretOf.parse(answer.json)
  expect([code, secret]).toEqual(['cluj-1', expect.stringMatching(/^whsec_/)])
  const added = await shown('cluj-1')
  expect(added).toMatchObject({ is_default: true, state: 'unknown', panels: 0, secrets: 1 })
  expect((await shown('simulated')).is_default).toBe(false)
  expect((await act(admin, added.id, 'probe')).json).toMatchObject({ state: 'down' })

  await sql`update panel_engines set base_url = ${await exampleEngine([secret], undefined, 'example', onTestFinished)} where code = 'cluj-1'`.execute(
    db,
  )
  expect((await act(admin, added.id, 'probe')).json).toEqual({ state: 'up', detail: null })
  expect(await shown('cluj-1')).toMatchObject({ state: 'up', detail: null })

  const second = secretOf.parse((await act(admin, added.id, 'rotate')).json)
  expect(second.secret).not.toBe(secret)
  expect((await shown('cluj-1')).secrets).toBe(2)
  expect((await act(admin, added.id, 'finish')).json).toEqual({ ended: 1 })

  await act(admin, added.id, 'disable')
  expect((await shown('cluj-1')).state).toBe('disabled')
  for (const verb of ['probe', 'makeDefault'])
    expect(faults(await act(admin, added.id, verb))).toEqual(['409 engine_disabled'])
  await act(admin, added.id, 'enable')
  await act(admin, (await shown('simulated')).id, 'makeDefault')
  expect((await shown('cluj-1')).is_default).toBe(false)

  const { list } = await admin.get(`${base}/staff-actions?sort=at&page[size]=20`)
  const logged = JSON.stringify(list)
  expect(list.map(({ attributes }) => attributes?.verb)).toEqual(
    expect.arrayContaining(['add', 'rotate', 'finish', 'disable', 'enable', 'makeDefault']),
  )
  expect(logged).toContain('panel_engine_secrets')
  for (const part of [secret, second.secret, '\\\\x']) expect(logged).not.toContain(part)
})

test.each([
  [{ url: 'engine.example' }, '422 engine_url_invalid url'],
  [{ url: 'https://me:pw@engine.example' }, '422 engine_url_invalid url'],
  [{ url: 'http://10.0.0.8' }, '422 engine_not_https url'],
  [{ name: '!!!' }, '409 engine_name_taken name'],
  [{ name: 'Simulated' }, '409 engine_name_taken name'],
  [{ name: '' }, '422 value_required name'],
])('%j is refused', async (data, fault) => {
  expect(faults(await add(admin, data))).toEqual([fault])
})

test('an engine gets another name, and an address once it answers there', async () => {
  const dead = 'http://127.0.0.1:9'
  const { code, secret } = secretOf.parse((await add(admin, { name: 'Iasi', url: dead })).json)
  const { id } = await shown(code)
  // So many failures pause the calls to this address, not those to the next one.
  for (let n = 0; n < 6; n++) await act(admin, id, 'probe')
  const alive = await exampleEngine([secret], undefined, 'example', onTestFinished)
  const answer = await act(admin, id, 'edit', { name: 'Iasi North', url: `${alive}/` })
  expect(answer.json).toEqual({ code: 'iasi' })
  expect((await admin.get(`${url}/${id}`)).one.attributes).toMatchObject({
    name: 'Iasi North',
    base_url: alive,
    state: 'up',
    panels: 0,
  })

  const { rows } = await sql`select a.reason, c.before, c.after from staff_action_changes c
    join staff_actions a on a.id = c.action_id
    where a.verb = 'edit' and a.ref = ${String(id)} and c.table_name = 'panel_engines'`.execute(db)
  expect(rows).toEqual([
    {
      reason: 'A test asks for it',
      before: expect.objectContaining({ name: 'Iasi', base_url: dead }),
      after: expect.objectContaining({ name: 'Iasi North', base_url: alive }),
    },
  ])

  // A disabled engine is not asked, so its address can be changed before it moves.
  await act(admin, id, 'disable')
  expect((await act(admin, id, 'edit', { name: 'Iasi North', url: dead })).status).toBe(200)
  expect((await admin.get(`${url}/${id}`)).one.attributes).toMatchObject({
    base_url: dead,
    state: 'disabled',
  })
})

test.each([
  [{ url: 'engine.example' }, '422 engine_url_invalid url'],
  [{ url: 'https://me:pw@engine.example' }, '422 engine_url_invalid url'],
  [{ url: 'http://10.0.0.8' }, '422 engine_not_https url'],
  [{ url: 'https://10.0.0.8' }, '422 engine_unreachable url'],
  [{ url: 'https://169.254.169.254' }, '422 engine_unreachable url'],
  [{ url: 'http://127.0.0.1:9' }, '422 engine_unreachable url'],
  [{ name: 'SIMULATED' }, '409 engine_name_taken name'],
  [{ name: '!!!' }, '409 engine_name_taken name'],
  [{ name: '' }, '422 value_required name'],
])('an engine is not changed to %j', async (data, fault) => {
  const kept = { name: 'Oradea', url: 'https://engine.example' }
  await add(admin, kept)
  const { id } = await shown('oradea')
  const answer = await act(admin, id, 'edit', { ...kept, ...data })
  expect(faults(answer)).toEqual([fault])
  expect((await admin.get(`${url}/${id}`)).one.attributes).toMatchObject({
    name: kept.name,
    base_url: kept.url,
    state: 'unknown',
  })
})

test('the built-in engine has no address to change', async () => {
  const { id } = await shown('simulated')
  const data = { name: 'Mine', url: 'https://engine.example' }
  expect(faults(await act(admin, id, 'edit', data))).toEqual(['409 engine_built_in'])
})

test('administrators alone change engines, with a sign-in of the last minutes', async () => {
  const { id } = await shown('simulated')
  const verbs = ['probe', 'edit', 'rotate', 'finish', 'makeDefault', 'disable', 'enable']
  const client = portal.as(await makeAccount(pool, { projects: 0, panels: 0 }))
  for (const who of [portal.nobody, client])
    for (const answer of [await who.get(url), await add(who, {}), await act(who, id, 'disable')])
      expect(answer.status).toBe(404)
  const support = portal.staff(await makeAdmin(pool, 'support'))
  expect((await support.get(url)).page.total).toBeGreaterThan(0)
  for (const verb of verbs) expect((await act(support, id, verb)).status).toBe(403)
  expect((await portal.staff(await makeAdmin(pool, 'billing')).get(url)).page.total).toBe(0)

  const member = await makeMember(pool, 'admin')
  const { app } = await testApp(pool)
  const browser = new Browser(app)
  await browser.signIn(member.email)
  await sql`update auth_sessions set authenticated_at = now() - interval '11 minutes'`.execute(db)
  const other = { name: 'Mine', url: 'https://engine.example' }
  const headers = { authorization: `Bearer ${browser.cookies.get('token')}`, 'portico-reason': 'Late' }
  for (const verb of ['edit', 'rotate', 'finish', 'makeDefault', 'disable', 'enable']) {
    const at = `${url}/${id}/-actions/${verb}`
    const data = verb === 'edit' ? other : {}
    const answer = await browser.ask({ method: 'POST', url: at, headers, payload: { data } })
    expect([verb, answer.json().errors?.[0].code]).toEqual([verb, 'recent_sign_in_required'])
  }
})
