// Charges what is due, again and again, in small steps, until it is killed: for tests and runs that kill it.
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { Pool } from '#platform/db/pool.ts'
import { chargeDay } from '#usage/charging.ts'

const [host = '', database = '', batch = '7'] = process.argv.slice(2)
const pool = new Pool({ host, port: 5432, user: 'portico', database }, 2, () => undefined)
const db = pool.kysely

// Ends with its parent process.
process.stdin.on('end', () => process.exit()).resume()
process.stdout.write('ready\n')
for (;;) {
  try {
    const { rows } = await sql<{ day: string }>`select distinct usage_on as day from usage_client_days
      where due order by 1`.execute(db)
    for (const { day } of rows)
      await chargeDay(db, { day, everyone: true, batch: Number(batch) }, async () => undefined)
    if (rows.length === 0) await sleep(20)
  } catch {
    // The database was ended, and comes back.
    await sleep(50)
  }
}
