// `npm run chaos:debian -- --seed N --kills N --minutes N`: a portal of its own with engines/debian and its real daemons behind it,
// which `host/try.sh` has brought up. In rounds, panels are made, suspended, resumed and deleted, while the portal, the engine,
// LXD and PowerDNS are ended by SIGKILL. After each round every panel must be as it is wanted within two minutes, once, with
// nothing of others left; at the end no hour may have been counted twice. All but the moments follows from the seed.
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { orphans } from '../engines/debian/chaos/processes.ts'
import { DebianWorld } from './support/debian-world.ts'

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: String(Date.now() % 2 ** 31) },
    kills: { type: 'string', default: '1000' },
    round: { type: 'string', default: '40' },
    minutes: { type: 'string', default: '45' },
  },
})
const seed = Number(values.seed)
const stuckMs = 120_000
const begun = Date.now()
const isOver = () => Date.now() - begun > Number(values.minutes) * 60_000
console.log(`seed ${seed}`)

const world = await DebianWorld.open(seed)
const faults: string[] = []
let longestMs = 0

/** Waits until everything is as it is wanted; what is not so in time is a fault. */
async function settle(about: string, differences: () => Promise<string[]>): Promise<void> {
  const since = Date.now()
  let left = await differences()
  while (left.length > 0 && Date.now() - since < stuckMs) {
    await sleep(1000)
    left = await differences()
  }
  longestMs = Math.max(longestMs, Date.now() - since)
  faults.push(...left.map((fault) => `${about}: ${fault}`))
  if (left.length > 0) console.log(left.map((fault) => `  FAILED ${fault}`).join('\n'))
}

for (let round = 1; world.kills < Number(values.kills) && !isOver(); round++) {
  await world.round(Math.min(Number(values.round), Number(values.kills) - world.kills))
  await settle(`round ${round}`, () => world.differences())
  console.log(
    `round ${round}: ${world.kills} kills ${JSON.stringify(world.killed)}, ${world.panels} panels, longest ${Math.round(longestMs / 1000)} s, ${faults.length} faults, ${Math.round((Date.now() - begun) / 1000)} s`,
  )
}
await world.deleteAll()
await settle('at the end', () => world.differences())
await settle('at the end', async () => orphans(world.settings.bridges, world.settings.prefix))
const hours = await world.usage()
faults.push(...hours.faults)
for (const fault of faults) console.log(`FAILED ${fault}`)
if (faults.length > 0) console.log(world.output)
await world.close()
console.log(
  `${world.kills} kills ${JSON.stringify(world.killed)}, ${world.panels} panels, ${hours.events} quantities of use; after a round all was as wanted in ${Math.round(longestMs / 1000)} s at most; ${faults.length} faults, ${Math.round((Date.now() - begun) / 60_000)} min`,
)
process.exit(faults.length === 0 ? 0 : 1)
