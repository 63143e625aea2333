import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { sql } from 'kysely'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { alertStaff } from '#platform/alerts.ts'
import { untilBlocked } from '#test/support/lock-wait.ts'
import { testPortal } from '#test/support/portal.ts'
import { clientOf, OfficeServer, OfficeWorld } from '#test/support/tax-office.ts'
import { temporaryFolder } from '#test/support/temporary.ts'
import { accessOf } from './access.ts'
import { OfficeError } from './tax-office.ts'

// A refresh of tokens beside others: a replica's, or a person who authorises the portal again.

const portal = await testPortal()
const { pool } = portal
const db = pool.kysely
const { folder, remove } = temporaryFolder()
const world = await OfficeWorld.open(pool, folder, new OfficeServer())
const refused = () => Promise.reject(new OfficeError('refused', 'invalid_grant'))

beforeEach(async () => {
  await world.authorise()
  await sql`update tax_offices set access_sealed = null, access_ends_at = null, refreshing_until = null
    where in_use`.execute(db)
})
afterAll(() => {
  world.server.close()
  remove()
})

const kept = async () => {
  const { rows } = await sql<{ access: boolean; refresh: boolean; problem: string | null }>`select
    access_sealed is not null as access, refresh_sealed is not null as refresh, problem from tax_offices where in_use`.execute(
    db,
  )
  return rows[0]
}

test('an authorisation that a person gives during a refresh of the former one is kept', async () => {
  const refresh = async () => {
    await world.authorise()
    return refused()
  }
  const office = { ...clientOf(world.origin), refresh }
  await accessOf({ ...world.parts, office }, new Date())
  expect(await kept()).toEqual({ access: true, refresh: true, problem: null })
})

test('nor does a late answer to that refresh replace it', async () => {
  const late = { access: 'former', refresh: 'former', accessEndsAt: '2099-01-01T00:00:00Z' }
  const refresh = async () => {
    await world.authorise()
    return late
  }
  const office = { ...clientOf(world.origin), refresh }
  await accessOf({ ...world.parts, office }, new Date())
  const access = await accessOf(world.parts, new Date())
  expect(access).toEqual(expect.any(String))
  expect(access).not.toBe('former')
})

test('a replica that read the former tokens does not refresh them once another one did', async () => {
  let asked = 0
  const refresh = () => {
    asked++
    return refused()
  }
  const office = { ...clientOf(world.origin), refresh }
  const both = await db.transaction().execute(async (tx) => {
    await sql`select from tax_offices where in_use for update`.execute(tx)
    const waiting = accessOf({ ...world.parts, office }, new Date())
    await untilBlocked(pool)
    await sql`update tax_offices set refresh_sealed = ${world.parts.vault.seal('newer')} where in_use`.execute(
      tx,
    )
    return { waiting }
  })
  await both.waiting
  expect(asked).toBe(0)
  expect(await kept()).toMatchObject({ refresh: true, problem: null })
})

test('an authorisation that the office ended is given up, and staff are alerted', async () => {
  const office = { ...clientOf(world.origin), refresh: refused }
  expect(await accessOf({ ...world.parts, office }, new Date())).toBeUndefined()
  expect(await kept()).toEqual({ access: false, refresh: false, problem: 'refused' })
})

test('what the office says is an alert also where its limit is within a character', async () => {
  const server = http.createServer(
    (_, response) => void response.writeHead(400).end(`${'a'.repeat(499)}😀 ended`),
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  try {
    // A server that listens on TCP has such an address.
    const { port } = server.address() as AddressInfo
    const office = clientOf(`http://127.0.0.1:${port}`)
    expect(await accessOf({ ...world.parts, office }, new Date())).toBeUndefined()
  } finally {
    server.close()
  }
  expect(await kept()).toEqual({ access: false, refresh: false, problem: 'refused' })
  const alerts = await sql<{ detail: object }>`select detail from staff_alerts where kind = 'einvoice_access'
    and resolved_at is null`.execute(db)
  expect(alerts.rows).toEqual([{ detail: { failure: `${'a'.repeat(499)}😀` } }])
})

test('half of a character in the words of anybody does not keep an alert from being raised', async () => {
  await alertStaff(db, 'words', 'einvoice_access', { failure: 'a\ud83d\0' })
  const { rows } = await sql`select detail from staff_alerts where about = 'words'`.execute(db)
  expect(rows).toEqual([{ detail: { failure: 'a\ufffd' } }])
})
