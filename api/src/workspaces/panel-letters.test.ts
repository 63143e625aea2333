import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { makeAccount } from '#test/support/account.ts'
import { testDatabase } from '#test/support/database.ts'
import { lettersTo, testVault } from '#test/support/mail.ts'
import { sendDegradedLetter } from './panel-letters.ts'
import { updatePanelStatuses } from './panel-state.ts'

const { pool } = await testDatabase()
const db = pool.kysely

/** An account with a panel, and what its engine says of it. */
async function owned() {
  const { email, panels } = await makeAccount(pool, { projects: 1, panels: 1 })
  const [panel = 0] = panels
  const engineSays = async (engine_status: 'active' | 'degraded') => {
    await db.updateTable('panels').set({ engine_status }).where('id', '=', panel).execute()
    await updatePanelStatuses(db, [panel])
  }
  const look = () => sendDegradedLetter({ pool, vault: testVault }, panel)
  const letters = async () => (await lettersTo(pool, email)).filter(({ kind }) => kind === 'panel-degraded')
  return { email, panel, engineSays, look, letters }
}

test('the owner of a degraded panel gets one scheduled check, however often it changes', async () => {
  const { panel, engineSays } = await owned()
  for (const status of ['degraded', 'active', 'degraded'] as const) await engineSays(status)
  const { rows } = await sql<{ minutes: number }>`
    select (extract(epoch from j.run_at - now()) / 60)::float8 as minutes
    from graphile_worker._private_jobs j where j.key = ${`panel.degraded:${panel}`}`.execute(db)
  expect(rows).toEqual([{ minutes: expect.closeTo(5, 0) }])
})

test('the owner of a panel that is still degraded then gets a letter', async () => {
  const { engineSays, look, letters } = await owned()
  await engineSays('degraded')
  await look()
  expect(await letters()).toMatchObject([{ name: 'Ana', panel: expect.stringContaining('Panel 1') }])
})

test('no letter is sent for a recovered panel, nor to a client who opted out', async () => {
  const [mended, silent] = [await owned(), await owned()]
  await mended.engineSays('degraded')
  await mended.engineSays('active')
  await mended.look()
  await db
    .updateTable('clients')
    .set({ mail_off: ['panel_degraded'] })
    .where('email', '=', silent.email)
    .execute()
  await silent.engineSays('degraded')
  await silent.look()
  expect([await mended.letters(), await silent.letters()]).toEqual([[], []])
})
