// Counts the hours of plans and rates, again and again, until it is killed: for runs that kill it.
import { setTimeout as sleep } from 'node:timers/promises'
import { Pool } from '#platform/db/pool.ts'
import { rateUsage } from '#usage/charging.ts'
import { feedPlans } from '#usage/plan-feed.ts'

const [host = '', database = ''] = process.argv.slice(2)
const pool = new Pool({ host, port: 5432, user: 'portico', database }, 2, () => undefined)

// Ends with its parent process.
process.stdin.on('end', () => process.exit()).resume()
process.stdout.write('ready\n')
for (;;) {
  try {
    await feedPlans(pool.kysely)
    await rateUsage(pool.kysely)
    await sleep(10)
  } catch {
    // The database was ended, and comes back; or it is another's turn.
    await sleep(50)
  }
}
