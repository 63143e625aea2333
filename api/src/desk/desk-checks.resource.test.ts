import { deskChecks } from '@portico/contract/resources/desk-checks.ts'
import { deskHome } from '@portico/contract/resources/desk-home.ts'
import { base } from '@portico/contract/wire.ts'
import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { factsIn } from '#notifications/letters/words.ts'
import { factsOf } from '#staff/alert-notices.ts'
import { makeAccount } from '#test/support/account.ts'
import { testPortal } from '#test/support/portal.ts'
import { makeAdmin } from '#test/support/ticket.ts'
import { type Finding, good, hint, stop, warn } from './checks/finding.ts'
import { runChecks } from './checks/kept-checks.ts'

const portal = await testPortal()
const { pool } = portal
const db = pool.kysely
const admin = portal.staff(await makeAdmin(pool, 'admin'))

const answer = deskHome.actions.needs.output

const keep = (...found: Finding[]) => runChecks({ pool, findAll: async () => found })

beforeEach(async () => {
  await sql`delete from graphile_worker._private_jobs where true`.execute(db)
  await keep(
    good('jobs', 'none is late.', 'niciuna nu întârzie.'),
    hint('backup', 'never used.', 'nefolosit.'),
    stop('mail', 'no letter is sent.', 'nu se trimite.'),
    warn('terms', 'have no text.', 'nu au text.'),
  )
})

test('a run replaces the results, the worst first', async () => {
  const { list } = await admin.get(`${base}/desk-checks`)
  expect(list.map(({ attributes }) => [attributes?.state, attributes?.about])).toEqual([
    ['stop', 'mail'],
    ['warn', 'terms'],
    ['hint', 'backup'],
    ['good', 'jobs'],
  ])
  expect(list[0]?.attributes).toMatchObject({ words_en: 'no letter is sent.', words_ro: 'nu se trimite.' })
  await keep(good('mail', 'it works.', 'merge.'))
  expect((await admin.get(`${base}/desk-checks`)).page.total).toBe(1)
  expect((await admin.get(`${base}/desk-checks?filter[state]=stop`)).page.total).toBe(0)
})

test('results tell when their run began, and never replace those of a run that began later', async () => {
  const asked = await admin.post(`${base}/desk-checks/-actions/run`, { data: {} })
  const { queued_at } = deskChecks.actions.run.output.parse(asked.json)
  const early = Promise.withResolvers<Finding[]>()
  const first = runChecks({ pool, findAll: () => early.promise })
  const read = async () => (await admin.get(`${base}/desk-checks`)).list.map(({ attributes }) => attributes)
  expect(Date.parse(String((await read())[0]?.checked_at))).toBeLessThan(Date.parse(queued_at))
  // Begun after the first, it ends before it.
  await keep(good('mail', 'it works.', 'merge.'))
  early.resolve([stop('mail', 'no letter is sent.', 'nu se trimite.')])
  await first
  const [mail, ...others] = await read()
  expect([mail?.state, others]).toEqual(['good', []])
  expect(Date.parse(String(mail?.checked_at))).toBeGreaterThanOrEqual(Date.parse(queued_at))
})

test('two runs that end at once leave one result of each check', async () => {
  await Promise.all([1, 2, 3].map(() => keep(good('mail', 'it works.', 'merge.'))))
  expect((await admin.get(`${base}/desk-checks`)).page.total).toBe(1)
})

test('administrators ask for a new run, which is queued once', async () => {
  for (let times = 0; times < 2; times++) {
    const answer = await admin.post(`${base}/desk-checks/-actions/run`, { data: {} })
    expect([answer.status, answer.json]).toEqual([200, { queued: true, queued_at: expect.any(String) }])
  }
  const { rows } = await sql`select from graphile_worker.jobs where task_identifier = 'checks.run'`.execute(
    db,
  )
  expect(rows).toHaveLength(1)
})

test('others who read the checks do not run them, and clients know nothing of them', async () => {
  for (const role of ['support', 'readonly'] as const) {
    const reader = portal.staff(await makeAdmin(pool, role))
    expect((await reader.get(`${base}/desk-checks`)).page.total).toBe(4)
    expect((await reader.post(`${base}/desk-checks/-actions/run`, { data: {} })).status).toBe(403)
  }
  const client = portal.as(await makeAccount(pool, { projects: 0, panels: 0 }))
  for (const visitor of [portal.nobody, client])
    expect((await visitor.get(`${base}/desk-checks`)).status).toBe(404)
})

test('a stop or a warning waits at home, urgent when it is a stop', async () => {
  const failed = async () => {
    const { needs } = answer.parse((await admin.get(`${base}/desk-home/-actions/needs`)).json)
    return needs.filter(({ need }) => need.startsWith('checks'))
  }
  expect(await failed()).toMatchObject([
    { need: 'checks_stop', urgent: true, count: 1 },
    { need: 'checks_warn', urgent: false, count: 1 },
  ])
  await keep(good('mail', 'it works.', 'merge.'), hint('backup', 'never used.', 'nefolosit.'))
  expect(await failed()).toEqual([])
})

test('a check that was well and fails twice is an alert in both languages, until it is well again', async () => {
  const open = async () => {
    const { rows } = await sql<{
      about: string
      facts: object
    }>`select about, detail as facts from staff_alerts
      where kind = 'check_failed' and resolved_at is null order by about`.execute(db)
    return rows
  }
  const failing = [
    warn('jobs', 'one is late.', 'una întârzie.'),
    stop('jobs', 'none is done.', 'niciuna nu se face.'),
    stop('mail', 'no letter is sent.', 'nu se trimite.'),
  ] as const
  await sql`delete from checks`.execute(db)
  await keep(good('jobs', 'none is late.', 'niciuna nu întârzie.'))
  await keep(...failing)
  expect(await open()).toEqual([])
  await keep(...failing)
  const facts = { state: 'stop', found_en: 'none is done.', found_ro: 'niciuna nu se face.' }
  // Mail never was well.
  expect(await open()).toEqual([{ about: 'check jobs', facts }])
  await keep(...failing)
  expect(await open()).toHaveLength(1)
  expect(factsIn('ro', factsOf(facts))).toEqual(['S-a constatat: niciuna nu se face.'])
  await keep(good('jobs', 'none is late.', 'niciuna nu întârzie.'), failing[2])
  expect(await open()).toEqual([])
  // Failing once is no alert.
  await keep(...failing)
  expect(await open()).toEqual([])
})
