// `npm run chaos:efactura -- --seed N --documents N --kills N --faults SHARE`: a long version of the test of the tax office.
// Documents go through an office of our own that fails, sent by processes that are killed. Each must be there once, or be known
// as unknown. Everything but the moments of the kills follows from the seed, which is printed.
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { Pool } from '../api/src/platform/db/pool.ts'
import { installJobs } from '../api/src/platform/jobs/install.ts'
import { officeChaos } from '../api/test/support/office-chaos.ts'
import { benchDatabase } from './support/database.ts'

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: String(Date.now() % 2 ** 31) },
    documents: { type: 'string', default: '1000' },
    kills: { type: 'string', default: '20' },
    faults: { type: 'string', default: '0.3' },
  },
})
const seed = Number(values.seed)
const documents = Number(values.documents)
const kills = Number(values.kills)
const faults = Number(values.faults)
console.log(`seed ${seed}`)
const begun = performance.now()
const database = await benchDatabase()
const pool = new Pool(database.connection, 4, () => undefined)
await installJobs(database.connection)
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'portico-office-'))
const size = { seed, documents, kills, faults, patienceMs: 1_800_000 }
const done = await officeChaos({ pool, connection: database.connection, folder }, size)
await pool.close()
await database.stop()
fs.rmSync(folder, { recursive: true })
const { accepted, rejected, unknown, open, twice, wrong } = done
const holds =
  twice + wrong + open === 0 && accepted + rejected + unknown === documents && done.kills === kills
console.log(
  `${documents} documents, ${done.faults} calls failed, ${done.kills} processes killed: ${accepted} accepted, ${rejected} rejected, ${unknown} unknown, ${open} open; sent twice ${twice}, wrong ${wrong}; ${((performance.now() - begun) / 1000).toFixed(0)} s`,
)
process.exit(holds ? 0 : 1)
