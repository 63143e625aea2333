import { expect, test } from 'vitest'
import { makeAccount } from '#test/support/account.ts'
import { testVault } from '#test/support/engine.ts'
import { testPortal } from '#test/support/portal.ts'
import { listEngines, registerEngine } from '#workspaces/engines/registry.ts'
import { offerSimulated } from './offered.ts'

const portal = await testPortal()
const db = portal.pool.kysely
const ana = await makeAccount(portal.pool, { projects: 1, panels: 0 })

/** The short names of enabled engines, the default one with a mark. */
const enabled = async () =>
  (await listEngines(db))
    .filter(({ disabled_at }) => disabled_at === null)
    .map(({ code, is_default }) => (is_default ? `${code}!` : code))

const create = () =>
  portal.as(ana).post('/api/v1/panels', {
    data: {
      type: 'panels',
      attributes: { name: 'shop' },
      relationships: { project: { data: { type: 'projects', id: String(ana.projects[0]) } } },
    },
  })

test('a real portal without another engine creates no simulated panels', async () => {
  expect(await enabled()).toEqual(['simulated!'])
  await offerSimulated(db, false)
  expect(await enabled()).toEqual([])
  expect((await create()).faults[0]).toMatch(/^503 panels_unavailable/)
})

test('the simulated engine is offered again when it is asked for, until another one is the default', async () => {
  await offerSimulated(db, true)
  expect(await enabled()).toEqual(['simulated!'])
  await offerSimulated(db, false)
  const engine = { code: 'real', name: 'Real', baseUrl: 'https://engine.example.com', isDefault: true }
  await registerEngine({ db, vault: testVault }, engine)
  await offerSimulated(db, true)
  expect(await enabled()).toEqual(['real!'])
  await db.deleteFrom('panel_engine_secrets').execute()
  await db.deleteFrom('panel_engines').where('code', '=', 'real').execute()
  await offerSimulated(db, true)
  expect(await enabled()).toEqual(['simulated!'])
})

test('an engine with panels stays, whatever is asked for', async () => {
  expect((await create()).status).toBe(201)
  await offerSimulated(db, false)
  expect(await enabled()).toEqual(['simulated!'])
})
