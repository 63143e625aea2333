// What it costs to see only what one may: the list of 25 sorted panels, for an owner and for a guest to whom some of them
// are open, in PostgreSQL and over HTTP, at 6000 panels and at 600 000. Rounds alternate between the two.

import type { Actor } from '../api/src/platform/context.ts'
import { withClient } from '../api/src/platform/db/client.ts'
import type { Connection } from '../api/src/platform/db/connection.ts'
import { Pool } from '../api/src/platform/db/pool.ts'
import { type Model, modelsOf } from '../api/src/platform/jsonapi/declare/model.ts'
import { listStatement } from '../api/src/platform/jsonapi/read/statements.ts'
import { accessOf, readGrants } from '../api/src/sharing/grants.ts'
import { served } from '../api/src/start/registry.ts'
import { giveAccounts } from './support/accounts.ts'
import { rounds, row, seconds } from './support/compare.ts'
import { type BenchDatabase, benchDatabase } from './support/database.ts'
import { endServers, type Load, load, median } from './support/load.ts'
import { get, type Portal, signIn, startPortal } from './support/portal.ts'
import { countShares, fillShares, parties } from './support/shares.ts'

const few = Number(process.env.FEW ?? 6000)
const many = Number(process.env.MANY ?? 600_000)
const connections = 8
const timesExplained = 21
const allowed = 1.5

type Party = keyof typeof parties
type Side = {
  readonly panels: number
  readonly database: BenchDatabase
  readonly portal: Portal
  readonly tokens: Readonly<Record<Party, string>>
  readonly ids: Readonly<Record<Party, number>>
}

const listOf = ({ ids }: Side) => `/api/v1/panels?filter[client_id]=${ids.owner}&sort=name&page[size]=25`

const panels = modelsOf(Object.values(served)).get('panels')

/** Who asks, as the server reads them. */
async function actorOf(connection: Connection, id: number): Promise<Actor> {
  const pool = new Pool(connection, 1, () => undefined)
  try {
    const access = accessOf(id, (await readGrants(pool, [id], new Date())).get(id) ?? [])
    return {
      kind: 'client',
      id,
      accountId: '',
      sessionId: '',
      emailVerified: true,
      language: 'en',
      ...access,
    }
  } finally {
    await pool.close()
  }
}

/** A value as it stands in a statement. */
const literal = (value: unknown): string =>
  Array.isArray(value) ? `'{${value.join()}}'` : `'${String(value).replaceAll("'", "''")}'`

/** The median time that PostgreSQL takes for the list's own statement, under the plan that the server uses; milliseconds. */
async function executionOf({ database, ids }: Side, party: Party, model: Model): Promise<number> {
  const actor = await actorOf(database.connection, ids[party])
  const sorts = [{ name: 'name', descending: false }]
  const shape = { filters: [], byId: false, sorts, parent: undefined, byAccount: true, accountBy: [] }
  const statement = listStatement(model, shape, { actor, account: ids.owner, limit: 25, offset: 0 })
  return withClient(database.connection, async (client) => {
    await client.query('set plan_cache_mode = force_generic_plan')
    await client.query(`prepare list as ${statement.sql}`)
    const times: number[] = []
    for (let run = 0; run < timesExplained; run++) {
      const { rows } = await client.query<{ 'QUERY PLAN': { 'Execution Time': number }[] }>(
        `explain (analyze, timing off, format json) execute list (${statement.values.map(literal).join()})`,
      )
      times.push(rows[0]?.['QUERY PLAN'][0]?.['Execution Time'] ?? Number.NaN)
    }
    if (process.env.PLAN) {
      const { rows } = await client.query<{ 'QUERY PLAN': string }>(
        `explain (analyze, buffers) execute list (${statement.values.map(literal).join()})`,
      )
      for (const line of rows) console.log(line['QUERY PLAN'])
    }
    return median(times)
  })
}

async function start(size: number): Promise<Side> {
  const database = await benchDatabase()
  await fillShares(database.connection, size)
  await giveAccounts(database.connection, Object.values(parties))
  const portal = await startPortal(database.connection)
  const tokens = { owner: await signIn(portal, parties.owner), guest: await signIn(portal, parties.guest) }
  const idOf = async (token: string): Promise<number> =>
    JSON.parse(await get(`${portal.url}/api/user`, token)).id
  const ids = { owner: await idOf(tokens.owner), guest: await idOf(tokens.guest) }
  return { panels: size, database, portal, tokens, ids }
}

/** The same number of rows at both sizes, or nothing is compared. */
async function rowsOf(side: Side, party: Party): Promise<string> {
  const text = await get(`${side.portal.url}${listOf(side)}`, side.tokens[party])
  const { data, meta }: { data: unknown[]; meta: { page: { total: number } } } = JSON.parse(text)
  return `${data.length} of ${meta.page.total}`
}

async function compare(party: Party, sides: readonly [Side, Side]): Promise<number> {
  const shown = await Promise.all(sides.map((side) => rowsOf(side, party)))
  if (shown[0] !== shown[1]) throw new Error(`The lists differ: ${shown.join(' and ')}`)
  console.log(`The ${party}: ${shown[0]} panels, ${connections} connections`)
  const loads: [Load[], Load[]] = [[], []]
  for (let round = 0; round <= rounds; round++)
    for (const [at, side] of sides.entries()) {
      const one = await load(`${side.portal.url}${listOf(side)}`, side.tokens[party], connections, seconds)
      // The first round warms both.
      if (round > 0) loads[at]?.push(one)
    }
  for (const [at, side] of sides.entries()) row(String(side.panels), loads[at] ?? [])
  const ratios = loads[1].map((one, at) => one.p99 / (loads[0][at]?.p99 ?? Number.NaN))
  const each = ratios.map((ratio) => ratio.toFixed(2)).join(' ')
  console.log(`  ratio of p99 ${median(ratios).toFixed(2)}, at most ${allowed} (of rounds: ${each})`)
  return median(ratios)
}

async function main(): Promise<void> {
  if (!panels) throw new Error('panels are not served')
  const sides = [await start(few), await start(many)] as const
  try {
    for (const side of sides) console.log(`${side.panels}: ${await countShares(side.database.connection)}`)
    for (const party of ['owner', 'guest'] as const) {
      await compare(party, sides)
      const times = [await executionOf(sides[0], party, panels), await executionOf(sides[1], party, panels)]
      console.log(`  execution in PostgreSQL ${times.map((ms) => `${ms.toFixed(2)} ms`).join(' and ')}\n`)
    }
    await endServers(...sides.map(({ portal }) => portal.process))
  } finally {
    for (const { database } of sides) await database.stop()
  }
}

await main()
process.exit(0)
