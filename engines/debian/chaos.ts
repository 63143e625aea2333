import { parseArgs } from 'node:util'
import { Chaos } from './chaos/chaos.ts'

// `npm run chaos:debian -- --kills 1000`: kills the engine, LXD and PowerDNS with SIGKILL, and breaks off the portal, while panels are made, suspended,
// restarted and deleted, and looks whether anything was doubled, lost or left. The daemons run already (host/up.sh), and
// their folder is a test's: all panels are deleted at the end.

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '20' },
    minutes: { type: 'string', default: 'Infinity' },
    seed: { type: 'string' },
  },
})
const chaos = new Chaos(Number(values.seed ?? Date.now() % 100_000))
console.log(`seed ${chaos.seed}`)
const faults = await chaos.run(Number(values.kills), Date.now() + Number(values.minutes) * 60_000)
for (const fault of faults) console.log(`FAILED ${fault}`)
console.log(`${chaos.looked - faults.length} passed, ${faults.length} failed`)
process.exit(faults.length === 0 ? 0 : 1)
