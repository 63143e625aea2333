// Sends documents to an office of our own and follows them, again and again, until it is killed: for tests and runs that kill it.
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { followSent } from '#money/tax-office/follow.ts'
import { searchUnknown } from '#money/tax-office/search-unknown.ts'
import { sendWaiting } from '#money/tax-office/send.ts'
import { Pool } from '#platform/db/pool.ts'
import { localStorage } from '#platform/files/file-storage.ts'
import { testVault } from './mail.ts'
import { clientOf } from './tax-office.ts'

const [host = '', database = '', settings = '{}'] = process.argv.slice(2)
const { origin, folder, ...more }: { origin: string; folder: string; patienceMs?: number } =
  JSON.parse(settings)
const pool = new Pool({ host, port: 5432, user: 'portico', database }, 3, () => undefined)
const db = pool.kysely
const storage = await localStorage(folder)
const parts = () => ({ db, vault: testVault, storage, office: clientOf(origin, more), now: new Date() })

// Ends with its parent process.
process.stdin.on('end', () => process.exit()).resume()
process.stdout.write('ready\n')
for (;;) {
  const until = performance.now() + 2000
  await sendWaiting(parts(), until)
  await followSent(parts(), until)
  await searchUnknown(parts(), until + 2000)
  // Documents that would be due some minutes later.
  await sql`update e_invoices set next_at = now() where state in ('waiting', 'sent') and next_at > now()`.execute(
    db,
  )
  await sleep(20)
}
