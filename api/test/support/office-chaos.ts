import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { StandInFault } from '#money/tax-office/stand-in/stand-in-office.ts'
import type { Connection } from '#platform/db/connection.ts'
import type { Pool } from '#platform/db/pool.ts'
import { makeAccount } from './account.ts'
import { Fire } from './charge-fire.ts'
import { makeBuyer } from './documents.ts'
import { OfficeServer, OfficeWorld } from './tax-office.ts'
import { seeded } from './usage-workload.ts'

type Size = {
  readonly seed: number
  readonly documents: number
  readonly kills: number
  /** The share of calls that fail. */
  readonly faults: number
  readonly patienceMs: number
}

export type ChaosResult = {
  readonly accepted: number
  readonly rejected: number
  readonly unknown: number
  /** Neither of these three at the end. */
  readonly open: number
  /** Numbers that the office has more than once, and documents that are accepted here and not there, or the other way round. */
  readonly twice: number
  readonly wrong: number
  readonly faults: number
  readonly kills: number
}

const ofUploads: readonly StandInFault[] = [
  'lost',
  'failed_after',
  'no_index',
  'late',
  'failed',
  'busy',
  'expired',
  'wrong_cif',
  'nok',
]
const ofOthers: readonly StandInFault[] = ['failed', 'busy', 'expired', 'hostile']

/** The longest wait of a client for an upload, and the time that a late answer takes. */
const [uploadMs, lateMs] = [2000, 4000]

/** Time passes: leases run out, and pauses end. */
async function letTimePass(pool: Pool): Promise<void> {
  await sql`update e_invoices set lease_until = now() - interval '1 second' where state = 'sending'
    and begun_at < now() - interval '5 seconds'`.execute(pool.kysely)
  await sql`update tax_offices set paused_until = null, refreshing_until = null, searched_at = null`.execute(
    pool.kysely,
  )
  await sql`update tax_office_calls set calls = 0 where calls > 5`.execute(pool.kysely)
}

/** Documents that neither the office nor a search can settle: every document that is still open after everything calmed down. */
async function count(pool: Pool, server: OfficeServer) {
  const { rows } = await sql<{ number: string; state: string; index: string | null }>`
    select i.full_number as number, e.state, e.upload_index as index
    from e_invoices e join invoices i on i.id = e.invoice_id`.execute(pool.kysely)
  const times = new Map<string, number>()
  for (const { document, isNok } of server.office.uploads)
    if (!isNok) times.set(document.number, (times.get(document.number) ?? 0) + 1)
  const all = new Map<string, number>()
  for (const { document } of server.office.uploads)
    all.set(document.number, (all.get(document.number) ?? 0) + 1)
  const inState = (...states: string[]) => rows.filter(({ state }) => states.includes(state))
  const isWrong = ({ number, state }: { number: string; state: string }) => {
    if (state === 'accepted') return times.get(number) !== 1
    return state === 'unknown' ? (times.get(number) ?? 0) > 0 : (times.get(number) ?? 0) !== 0
  }
  return {
    accepted: inState('accepted').length,
    rejected: inState('rejected').length,
    unknown: inState('unknown').length,
    open: inState('waiting', 'sending', 'sent').length,
    twice: [...all.values()].filter((n) => n > 1).length,
    wrong: rows.filter(isWrong).length,
  }
}

/** Documents through an office that fails, sent by two processes of which one after another is killed. */
export async function officeChaos(
  { pool, connection, folder }: { pool: Pool; connection: Connection; folder: string },
  { seed, documents, kills, faults, patienceMs }: Size,
): Promise<ChaosResult> {
  const random = seeded(seed)
  const server = new OfficeServer({ pageSize: 50, lateMs })
  const world = await OfficeWorld.open(pool, folder, server)
  const client = await makeAccount(pool, { projects: 1, panels: 0 })
  await makeBuyer(pool, client)
  for (let n = 0; n < documents; n++) await world.invoice(client.id)
  await world.collect()
  let failed = 0
  const pick = (among: readonly StandInFault[]) => among[Math.floor(random() * among.length)]
  server.fault = ({ call }) => {
    if (call === 'token' || random() > faults) return undefined
    failed += 1
    return pick(call === 'upload' ? ofUploads : ofOthers)
  }
  const settings = JSON.stringify({ origin: world.origin, folder, patienceMs: uploadMs })
  const fire = new Fire(connection, settings, 'serve-e-invoices.ts')
  await fire.start(2)
  const until = performance.now() + patienceMs
  const left = async () => {
    const { open } = await count(pool, server)
    return open
  }
  while (performance.now() < until && (fire.kills < kills || (await left()) > 0)) {
    if (fire.kills < kills) await fire.kill(200 + 800 * random())
    else await sleep(500)
    await letTimePass(pool)
  }
  // The office is well again, so what it has is found.
  server.fault = () => undefined
  for (let calm = 0; calm < 3; calm++) {
    await letTimePass(pool)
    await sleep(3000)
  }
  await fire.end()
  await letTimePass(pool)
  await world.run()
  const result = { ...(await count(pool, server)), faults: failed, kills: fire.kills }
  server.close()
  return result
}
