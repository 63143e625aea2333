import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { makeVault } from '#platform/vault.ts'
import { sign } from '#platform/webhook-signature.ts'
import { makeAccount } from '#test/support/account.ts'
import { testApp } from '#test/support/app.ts'
import { testDatabase } from '#test/support/database.ts'
import { makePlans } from '#test/support/plans.ts'
import { forgetMessages, registerEngine, retireSecrets, rotateSecret } from './registry.ts'

const { pool } = await testDatabase()
const db = pool.kysely
const tokenSecret = 'a token secret that only this file has'
const vault = makeVault(tokenSecret)
const { app, lines } = await testApp(pool, { env: { rateLimitScale: 1000, tokenSecret } })
const engine = (code: string) =>
  registerEngine(
    { db, vault },
    { code, name: code, baseUrl: `https://${code}.example.com`, isDefault: false },
  )
const [alpha, beta] = [await engine('alpha'), await engine('beta')]
const secrets: Record<string, string> = { alpha, beta }

/** A panel of an engine, with three servers, clusters and domains; its id there is `p-<id>`. */
async function panelAt(code: string, status = 'active') {
  const { panels } = await makeAccount(pool, { projects: 1, panels: 1 })
  const [id = 0] = panels
  const panel = `p-${id}`
  await db
    .updateTable('panels')
    .set({ external_id: panel, status, sync_due_at: '2100-01-01T00:00:00Z' })
    .set((eb) => ({
      panel_engine_id: eb
        .selectFrom('panel_engines')
        .where('code', '=', code)
        .select('id')
        .$asScalar()
        .$notNull(),
    }))
    .where('id', '=', id)
    .execute()
  // The known state is old, so that the test can report a newer one.
  await sql`update panel_resources set last_seen_at = now() - interval '1 hour' where panel_id = ${id}`.execute(
    db,
  )
  return { id, panel }
}

let mine = { id: 0, panel: '' }
let theirs = { id: 0, panel: '' }

beforeEach(async () => {
  mine = await panelAt('alpha')
  theirs = await panelAt('beta')
})

type More = {
  code?: string | undefined
  id?: string
  at?: Date
  secret?: string
  headers?: Record<string, string | undefined>
  text?: string
}

/** Sends events, correctly signed unless the test changes that. */
async function send(events: unknown, { code = 'alpha', id, at, secret, headers, text }: More = {}) {
  const body = text ?? JSON.stringify({ events })
  const signed = sign([secret ?? secrets[code] ?? alpha], body, { ...(id && { id }), ...(at && { at }) })
  const all = { 'content-type': 'application/json', 'webhook-engine': code, ...signed, ...headers }
  const given = Object.entries(all).filter(([, value]) => value !== undefined)
  const answer = await app.inject({
    method: 'POST',
    url: '/engine/v1/events',
    headers: Object.fromEntries(given),
    payload: body,
  })
  return { status: answer.statusCode, text: answer.body, headers: answer.headers, json: () => answer.json() }
}

const ago = (seconds: number) => new Date(Date.now() - seconds * 1000).toISOString()
const status = (panel: string, now: string, at = ago(1)) => ({
  type: 'panel.status',
  panel,
  occurred_at: at,
  status: now,
})
const spec = { ipv4: '192.0.2.9', vcpus: 4, memory_gb: 8, disk_gb: 160, cpu_percent: 50 }
const upserted = (panel: string, id: string, more: object = {}, at = ago(1)) => ({
  type: 'resource.upserted',
  panel,
  occurred_at: at,
  resource: { kind: 'server', id, name: `name of ${id}`, status: 'running', region: 'eu', spec, ...more },
})
const removed = (panel: string, id: string, at = ago(1)) => ({
  type: 'resource.removed',
  panel,
  occurred_at: at,
  kind: 'server',
  resource: id,
})

const panelOf = (id: number) =>
  db.selectFrom('panels').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const serversOf = async (id: number) =>
  (
    await db
      .selectFrom('servers')
      .select(['name', 'status'])
      .where('panel_id', '=', id)
      .orderBy('name')
      .execute()
  ).map((one) => `${one.name} ${one.status}`)
const everything = async () => ({
  panels: await db.selectFrom('panels').selectAll().orderBy('id').execute(),
  resources: await db.selectFrom('panel_resources').selectAll().orderBy('id').execute(),
})

test('an engine’s report of its panels applies at once', async () => {
  const answer = await send([
    status(mine.panel, 'suspended'),
    upserted(mine.panel, 'server1', { name: 'renamed', status: 'stopped' }),
    upserted(mine.panel, 'new'),
    removed(mine.panel, 'server2'),
  ])
  expect([answer.status, answer.json()]).toEqual([200, { accepted: 4, outdated: 0, errors: [] }])
  expect((await panelOf(mine.id)).status).toBe('suspended')
  expect(await serversOf(mine.id)).toEqual(['name of new running', 'renamed stopped', 'server 3 running'])
  await send([status(mine.panel, 'active', ago(0))])
  expect((await panelOf(mine.id)).status).toBe('active')
  await send([upserted(mine.panel, 'new', { status: 'degraded' }, ago(0))])
  expect((await panelOf(mine.id)).status).toBe('degraded')
})

const forgeries: [string, number, string, () => More][] = [
  ['no signature', 401, 'signature_invalid', () => ({ headers: { 'webhook-signature': undefined } })],
  ['no id', 401, 'signature_invalid', () => ({ headers: { 'webhook-id': undefined } })],
  ['no time', 401, 'signature_invalid', () => ({ headers: { 'webhook-timestamp': undefined } })],
  ['no engine', 401, 'signature_invalid', () => ({ headers: { 'webhook-engine': undefined } })],
  ['an engine that is not there', 401, 'signature_invalid', () => ({ code: 'gamma' })],
  ['another engine’s secret', 401, 'signature_invalid', () => ({ secret: beta })],
  ['another engine’s name', 401, 'signature_invalid', () => ({ headers: { 'webhook-engine': 'beta' } })],
  ['an id with a dot', 401, 'signature_invalid', () => ({ id: 'msg.1' })],
  ['a time long past', 401, 'signature_expired', () => ({ at: new Date(Date.now() - 301_000) })],
  ['a time to come', 401, 'signature_expired', () => ({ at: new Date(Date.now() + 302_000) })],
  ['half of JSON', 400, 'malformed_json', () => ({ text: '{"events":[' })],
  ['nothing', 400, 'malformed_json', () => ({ text: '' })],
  ['deep JSON', 422, 'value_invalid', () => ({ text: `${'['.repeat(20_000)}${']'.repeat(20_000)}` })],
  ['no list', 422, 'value_not_list', () => ({ text: '{"events":{}}' })],
  ['an empty list', 422, 'entries_missing', () => ({ text: '{"events":[]}' })],
  ['more than 500', 422, 'entries_most', () => ({ text: JSON.stringify({ events: Array(501).fill(1) }) })],
  ['more than a megabyte', 413, 'too_large', () => ({ text: ' '.repeat(1_048_577) })],
  [
    'another media type',
    415,
    'unsupported_media_type',
    () => ({ headers: { 'content-type': 'text/plain' } }),
  ],
]

test.each(forgeries)('%s is refused, and changes nothing', async (_what, code, name, more) => {
  const before = await everything()
  const begun = performance.now()
  const answer = await send([status(mine.panel, 'deleted')], more())
  expect([answer.status, answer.json().errors[0].code]).toEqual([code, name])
  expect(performance.now() - begun).toBeLessThan(2000)
  expect(answer.headers['content-type']).toBe('application/vnd.api+json')
  expect(await everything()).toEqual(before)
})

test('a signature is over the bytes as they came', async () => {
  const body = JSON.stringify({ events: [status(mine.panel, 'error')] })
  const signed = sign([alpha], body)
  const answer = await app.inject({
    method: 'POST',
    url: '/engine/v1/events',
    headers: { 'content-type': 'application/json', 'webhook-engine': 'alpha', ...signed },
    payload: `${body} `,
  })
  expect(answer.statusCode).toBe(401)
})

test('an engine can speak of its own panels only, and learns nothing of others', async () => {
  const before = await panelOf(theirs.id)
  const answer = await send([
    status(theirs.panel, 'deleted'),
    upserted(theirs.panel, 'x'),
    removed('p-nobody', 'x'),
    status(mine.panel, 'degraded'),
  ])
  const { accepted, errors } = answer.json()
  expect(accepted).toBe(1)
  expect(errors.map((one: { index: number; code: string }) => [one.index, one.code])).toEqual([
    [0, 'unknown_panel'],
    [1, 'unknown_panel'],
    [2, 'unknown_panel'],
  ])
  expect(errors[0].detail.replace(theirs.panel, '')).toBe(errors[2].detail.replace('p-nobody', ''))
  expect(await panelOf(theirs.id)).toEqual(before)
})

test('a bad event among 100 is named and does not lose the others', async () => {
  const events: unknown[] = Array.from({ length: 100 }, (_, i) => upserted(mine.panel, `s${i}`))
  events[3] = { type: 'panel.exploded', panel: mine.panel, occurred_at: ago(1) }
  events[41] = upserted(mine.panel, 'sql', { spec: { ...spec, vcpus: '4; drop table panels' } })
  events[42] = upserted(mine.panel, 'nul', { name: 'a\u0000b' })
  events[43] = upserted(mine.panel, 'half', { name: '\ud800' })
  events[77] = upserted(mine.panel, 'late', {}, new Date(Date.now() + 600_000).toISOString())
  events[78] = upserted(mine.panel, 'old', {}, '0000-01-01T00:00:00Z')
  events[79] = null
  const answer = await send(events)
  const { accepted, errors } = answer.json()
  expect(accepted).toBe(93)
  expect(errors.map(({ index, code }: { index: number; code: string }) => `${index} ${code}`)).toEqual([
    '3 invalid',
    '41 invalid',
    '42 invalid',
    '43 invalid',
    '77 too_new',
    '78 invalid',
    '79 invalid',
  ])
  // An engine reads sentences, and not the codes that rules of schemas carry.
  expect(errors.map(({ detail }: { detail: string }) => detail)).toEqual([
    'type: Expected one of panel.status, resource.upserted, resource.removed',
    'resource.spec.vcpus: Expected a number',
    'resource.name: Contains characters that cannot be shown',
    'resource.name: Contains characters that cannot be shown',
    'occurred_at is in the future.',
    'occurred_at: Expected a moment after the year 2000',
    'the event: A value is required',
  ])
  expect(await serversOf(mine.id)).toHaveLength(93 + 3)
})

test('events in any order end in the same, and what is older than what is known is said to be outdated', async () => {
  const newer = upserted(mine.panel, 'a', { status: 'running', name: 'new' }, ago(10))
  const older = upserted(mine.panel, 'a', { status: 'error', name: 'old' }, ago(20))
  expect((await send([newer])).json()).toMatchObject({ accepted: 1 })
  expect((await send([older])).json()).toMatchObject({ accepted: 0, outdated: 1 })
  expect(await serversOf(mine.id)).toContain('new running')
  // A removal that arrives before the thing was ever heard of keeps it away.
  expect((await send([removed(mine.panel, 'b', ago(5))])).json()).toMatchObject({ accepted: 1 })
  expect((await send([upserted(mine.panel, 'b', {}, ago(6))])).json()).toMatchObject({ outdated: 1 })
  expect(await serversOf(mine.id)).not.toContain('name of b running')
  await send([upserted(mine.panel, 'b', {}, ago(4))])
  expect(await serversOf(mine.id)).toContain('name of b running')
  await send([status(mine.panel, 'suspended', ago(5)), status(mine.panel, 'error', ago(8))])
  expect((await panelOf(mine.id)).status).toBe('suspended')
})

test('a message that comes again is answered the same, to the byte, and changes nothing', async () => {
  const id = `msg_${randomUUID()}`
  const events = [status(mine.panel, 'suspended', ago(5)), status('p-nobody', 'active')]
  const first = await send(events, { id })
  await send([status(mine.panel, 'active', ago(3))])
  const before = await everything()
  // An engine that missed the answer signs its retry again.
  const again = await Promise.all(
    Array.from({ length: 20 }, () => send(events, { id, at: new Date(Date.now() + 2000) })),
  )
  for (const one of again) expect([one.status, one.text]).toEqual([200, first.text])
  expect(await everything()).toEqual(before)
  const other = await send([status(mine.panel, 'error')], { id })
  expect([other.status, other.json().errors[0].code]).toEqual([409, 'webhook_id_reused'])
  // The same id of another engine is another message.
  expect((await send([status(theirs.panel, 'error')], { id, code: 'beta' })).json()).toMatchObject({
    accepted: 1,
  })
})

test('twenty copies at once have one effect and one answer', async () => {
  const id = `msg_${randomUUID()}`
  const events = Array.from({ length: 50 }, (_, i) => upserted(mine.panel, `c${i}`))
  const answers = await Promise.all(Array.from({ length: 20 }, () => send(events, { id })))
  expect(new Set(answers.map((one) => `${one.status} ${one.text}`)).size).toBe(1)
  expect(await serversOf(mine.id)).toHaveLength(53)
})

test('messages about the same panels at once do not block each other', async () => {
  const more = await Promise.all([panelAt('alpha'), panelAt('alpha')])
  const panels = [mine, ...more].map(({ panel }) => panel)
  const answers = await Promise.all(
    Array.from({ length: 30 }, (_, i) => {
      const order = i % 2 ? panels : panels.toReversed()
      return send(order.flatMap((panel) => [status(panel, 'degraded'), upserted(panel, `d${i % 3}`)]))
    }),
  )
  expect(answers.map((one) => one.status)).toEqual(answers.map(() => 200))
})

test('a deletion that was asked for ends when the engine says so; one that was not is shown', async () => {
  await db.updateTable('panels').set({ status: 'deleting' }).where('id', '=', mine.id).execute()
  await send([status(mine.panel, 'deleted')])
  expect(await panelOf(mine.id)).toMatchObject({ status: 'deleted', deleted_at: expect.any(String) })
  expect(await serversOf(mine.id)).toEqual([])
  const late = await send([status(mine.panel, 'active', ago(0)), upserted(mine.panel, 'ghost', {}, ago(0))])
  expect(late.json()).toEqual({ accepted: 0, outdated: 2, errors: [] })
  expect((await panelOf(mine.id)).status).toBe('deleted')
  await send([status(theirs.panel, 'deleted')], { code: 'beta' })
  expect(await panelOf(theirs.id)).toMatchObject({ status: 'error', deleted_at: null })
})

test('an engine cannot lift what the portal suspended, nor bring back what it deletes', async () => {
  await db
    .updateTable('panels')
    .set({ suspended_at: ago(60), status: 'suspended' })
    .where('id', '=', mine.id)
    .execute()
  await send([status(mine.panel, 'active')])
  expect((await panelOf(mine.id)).status).toBe('suspended')
  await db.updateTable('panels').set({ status: 'deleting' }).where('id', '=', mine.id).execute()
  await send([status(mine.panel, 'active', ago(0))])
  expect((await panelOf(mine.id)).status).toBe('deleting')
})

test('during a rotation both secrets are valid; the old one expires as set', async () => {
  await engine('rotating')
  const events = [status(mine.panel, 'active')]
  const keys = { db, vault }
  const tries = async (...all: string[]) => {
    const answers = await Promise.all(all.map((secret) => send(events, { code: 'rotating', secret })))
    return answers.map((one) => one.status)
  }
  const first = (await rotateSecret(keys, 'rotating')) ?? ''
  const second = (await rotateSecret(keys, 'rotating')) ?? ''
  expect(await tries(first, second)).toEqual([200, 200])
  const third = (await rotateSecret(keys, 'rotating')) ?? ''
  expect(await tries(first, second, third)).toEqual([401, 200, 200])
  expect(await retireSecrets(db, 'rotating')).toBe(1)
  expect(await tries(first, second, third)).toEqual([401, 401, 200])
  await db
    .updateTable('panel_engines')
    .set({ disabled_at: ago(1) })
    .where('code', '=', 'rotating')
    .execute()
  expect(await tries(third)).toEqual([401])
})

test('no secret can be read in the database or in the log', async () => {
  const { rows } = await sql<{
    dump: string
  }>`select coalesce(json_agg(s)::text, '') as dump from panel_engine_secrets s`.execute(db)
  const dump = rows[0]?.dump ?? ''
  expect(dump.length).toBeGreaterThan(100)
  for (const secret of [alpha, beta]) {
    const bytes = Buffer.from(secret.slice(6), 'base64')
    expect(dump).not.toContain(bytes.toString('hex'))
    expect(dump + JSON.stringify(lines)).not.toContain(secret.slice(6))
  }
})

test('messages are forgotten after ten minutes', async () => {
  const id = `msg_${randomUUID()}`
  await send([status(mine.panel, 'active')], { id })
  const known = () =>
    db.selectFrom('engine_messages').select('webhook_id').where('webhook_id', '=', id).execute()
  await forgetMessages(db, new Date(Date.now() + 590_000))
  expect(await known()).toHaveLength(1)
  await forgetMessages(db, new Date(Date.now() + 610_000))
  expect(await known()).toHaveLength(0)
})

test('an engine of 1.1 says why, and words of an engine of 1.0 that 1.1 uses otherwise mean nothing', async () => {
  const why = { reasons: [{ code: 'load', since: '2026-03-01T10:00:00Z', text: 'starved' }] }
  const more = { ...why, spec: { ...spec, memory_used_gb: 2 } }
  const made = { progress: 40, login_url: 'https://engine.example.com/login' }
  const odd = { reasons: 'many', spec: { ...spec, ipv6: 6, power: 'on' } }
  const reasonsOf = async () => {
    const panel = await db
      .selectFrom('panels')
      .select(['engine_reasons', 'progress', 'login_url'])
      .where('id', '=', mine.id)
      .executeTakeFirstOrThrow()
    const row = await db
      .selectFrom('panel_resources')
      .select(['reasons', 'spec'])
      .where('panel_id', '=', mine.id)
      .where('external_id', '=', 'new')
      .executeTakeFirstOrThrow()
    return { ...panel, ...row }
  }
  const first = [
    {
      ...status(mine.panel, 'active', ago(9)),
      reasons: 7,
      progress: 'half',
      login_url: 'javascript:alert(1)',
    },
    upserted(mine.panel, 'new', odd, ago(9)),
  ]
  expect((await send(first)).json()).toMatchObject({ accepted: 2, errors: [] })
  const nothing = { progress: null, login_url: null }
  expect(await reasonsOf()).toEqual({ ...nothing, engine_reasons: [], reasons: [], spec })
  await db.updateTable('panel_engines').set({ contract: '1.1' }).where('code', '=', 'alpha').execute()
  const later = [
    { ...status(mine.panel, 'active', ago(5)), ...why, ...made },
    upserted(mine.panel, 'new', more, ago(5)),
  ]
  expect((await send(later)).json()).toMatchObject({ accepted: 2, errors: [] })
  expect(await reasonsOf()).toEqual({
    ...made,
    engine_reasons: why.reasons,
    reasons: why.reasons,
    spec: { ...spec, memory_used_gb: 2 },
  })
  expect((await send([upserted(mine.panel, 'new', odd)])).json()).toMatchObject({
    accepted: 0,
    errors: [{ index: 0, code: 'invalid' }],
  })
  // A progress is of this report alone, the page stays what it was.
  await send([status(mine.panel, 'active')])
  expect(await reasonsOf()).toMatchObject({ progress: null, login_url: made.login_url })
  await db.updateTable('panel_engines').set({ contract: '1.0' }).where('code', '=', 'alpha').execute()
})

test('an event of an engine of 1.1 says that a panel has the plan that was asked for', async () => {
  const { 'web-3': plan_id = 0 } = await makePlans(db, { 'web-3': '8.00' })
  const asked = {
    panel_id: mine.id,
    plan_id,
    engine_plan: 'e-web-3',
    actor: JSON.stringify({ subject: null, kind: 'system' }),
    currency: 'EUR',
  }
  await db
    .insertInto('panel_plan_changes')
    .values({ ...asked, asked_at: ago(60) })
    .execute()
  const planOf = () =>
    db
      .selectFrom('panels')
      .select(['plan_id', 'plan_code'])
      .where('id', '=', mine.id)
      .executeTakeFirstOrThrow()
  const before = await planOf()
  const says = (plan: unknown, at: string) => send([{ ...status(mine.panel, 'active', at), plan }])
  await says('e-web-3', ago(30))
  expect(await planOf()).toEqual(before)
  await db.updateTable('panel_engines').set({ contract: '1.1' }).where('code', '=', 'alpha').execute()
  await says('e-old', ago(20))
  expect(await planOf()).toEqual(before)
  expect((await says(7, ago(15))).json()).toMatchObject({ accepted: 0, errors: [{ code: 'invalid' }] })
  await says('e-web-3', ago(10))
  expect(await planOf()).toEqual({ plan_id, plan_code: 'e-web-3' })
  await db.updateTable('panel_engines').set({ contract: '1.0' }).where('code', '=', 'alpha').execute()
})
