import { minuteMs } from '@portico/contract/time.ts'
import { clientsWithLanguage } from '#notifications/clients-with-language.ts'
import { queueMail } from '#notifications/queue-letter.ts'
import type { Database, Pool } from '#platform/db/pool.ts'
import { enqueue } from '#platform/jobs/enqueue.ts'
import type { Vault } from '#platform/vault.ts'

/** A shorter degradation is not worth a letter, in milliseconds. */
const patienceMs = 5 * minuteMs

/** Schedules a letter to the owner of a degraded panel, sent unless it recovers. */
export async function scheduleDegradedLetter(tx: Database, panelId: number): Promise<void> {
  await enqueue(
    tx,
    'panel.degraded',
    { panelId },
    { key: `panel.degraded:${panelId}`, afterMs: patienceMs, attempts: 3 },
  )
}

/** Sends the letter when the panel is still degraded. */
export async function sendDegradedLetter(
  { pool, vault }: { readonly pool: Pool; readonly vault: Vault },
  panelId: number,
): Promise<void> {
  await pool.kysely.transaction().execute(async (tx) => {
    const found = await clientsWithLanguage(tx)
      .innerJoin('panels as p', 'p.client_id', 'c.id')
      .select(['p.name as panel', 'c.first_name as name', 'c.email', 'l.code'])
      .where('p.id', '=', panelId)
      .where('p.status', '=', 'degraded')
      .executeTakeFirst()
    if (found === undefined) return
    const { panel, name, email, code } = found
    await queueMail(
      { tx, vault },
      { to: email, language: code, letter: { kind: 'panel-degraded', name, panel } },
    )
  })
}
