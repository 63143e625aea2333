// Measures a list of 25 tickets for an account with 100 of them, one with 100,000, and staff, whose queue has
// all; in the default order, and with each filter and sort. Rounds alternate between the two sizes.
import { giveAccounts, giveStaff } from './support/accounts.ts'
import { rounds, row, seconds } from './support/compare.ts'
import { type BenchDatabase, benchDatabase } from './support/database.ts'
import { endServers, type Load, load, median } from './support/load.ts'
import { type Portal, signIn, startPortal } from './support/portal.ts'
import { fillTickets, people } from './support/tickets.ts'

const few = Number(process.env.FEW ?? 100)
const many = Number(process.env.MANY ?? 100_000)
const connections = 8
const allowed = 1.5

type Person = keyof typeof people
type Side = {
  readonly tickets: number
  readonly database: BenchDatabase
  readonly portal: Portal
  readonly tokens: Readonly<Record<Person, string>>
}

/** Every filter and sort of the screens. */
const lists: readonly (readonly [Person, string, string])[] = [
  ['client', 'newest message', ''],
  ['client', 'open ones', 'filter[status]=open'],
  ['client', 'of a department', 'filter[department]=technical'],
  ['client', 'of a panel', 'filter[panel_id]=1'],
  ['client', 'of a workspace', 'filter[project_id]=1'],
  ['client', 'unread', 'filter[unread]=true'],
  ['client', 'by age', 'sort=createdAt'],
  ['client', 'by priority', 'sort=-priority'],
  ['client', 'words', 'filter[search]=disk 77 of'],
  ['staff', 'queue', ''],
  ['staff', 'queue of a state', 'filter[status]=awaiting_staff'],
  ['staff', 'queue of a department', 'filter[department]=technical'],
]

async function start(tickets: number): Promise<Side> {
  const database = await benchDatabase()
  await fillTickets(database.connection, tickets)
  await giveAccounts(database.connection, Object.values(people))
  await giveStaff(database.connection)
  const portal = await startPortal(database.connection)
  const tokens = { client: await signIn(portal, people.client), staff: await signIn(portal, people.staff) }
  return { tickets, database, portal, tokens }
}

async function compare(
  [person, name, query]: (typeof lists)[number],
  sides: readonly [Side, Side],
): Promise<void> {
  const path = `/api/v1/tickets?page[size]=25&${query}`
  const loads: [Load[], Load[]] = [[], []]
  for (let round = 0; round <= rounds; round++)
    for (const [at, side] of sides.entries()) {
      const one = await load(`${side.portal.url}${path}`, side.tokens[person], connections, seconds)
      // The first round is a warm-up.
      if (round > 0) loads[at]?.push(one)
    }
  console.log(`${person}, ${name}:`)
  for (const [at, side] of sides.entries()) row(String(side.tickets), loads[at] ?? [])
  const ratios = loads[1].map((one, at) => one.p99 / (loads[0][at]?.p99 ?? Number.NaN))
  console.log(`  ratio of p99 ${median(ratios).toFixed(2)}, at most ${allowed}`)
}

const sides = [await start(few), await start(many)] as const
try {
  for (const list of lists) await compare(list, sides)
  await endServers(...sides.map(({ portal }) => portal.process))
} finally {
  for (const { database } of sides) await database.stop()
}
process.exit(0)
