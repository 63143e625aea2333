import { sql } from 'kysely'
import { tokenColumns } from '#money/tax-office/access.ts'
import { readTokens } from '#money/tax-office/anaf/answers.ts'
import type { Offices } from '#money/tax-office/configured-office.ts'
import { systemClock } from '#platform/clock.ts'
import type { Database, Pool } from '#platform/db/pool.ts'
import { because } from '#platform/db/settings.ts'
import type { Vault } from '#platform/vault.ts'

type Parts = { readonly pool: Pool; readonly vault: Vault }

/** The days of the demo’s history whose documents are sent. */
const sentDays = 25

/** The newest documents that must be sent. */
async function newest(tx: Database): Promise<readonly string[]> {
  const { rows } = await sql<{ number: string }>`select full_number as number from invoices
    where kind = 'fiscal' and issued_at is not null and buyer ->> 'country' = 'RO' order by id desc limit 2`.execute(
    tx,
  )
  return rows.map(({ number }) => number)
}

/** Lets a new demo send to its own office, which rejects one document, and fails on another without a word about it. */
export async function openDemoOffice({ pool, vault }: Parts, { standIn, faults }: Offices): Promise<void> {
  if (standIn === null) return
  const now = systemClock.now()
  const tokens = readTokens(Buffer.from(JSON.stringify(standIn.issueTokens())), now)
  await pool.kysely.transaction().execute(async (tx) => {
    await because(tx, 'data of the demo')
    const opened = await tx
      .updateTable('tax_offices')
      .set({
        ...tokenColumns(vault, now, tokens),
        is_on: true,
        from_day: sql`operator_today() - ${sql.lit(sentDays)}`,
      })
      .where('in_use', '=', true)
      .where('from_day', 'is', null)
      .returning('id')
      .executeTakeFirst()
    if (!opened) return
    const [rejected, failed] = await newest(tx)
    if (rejected !== undefined) faults.set(rejected, 'nok')
    if (failed !== undefined) faults.set(failed, 'failed')
  })
}
