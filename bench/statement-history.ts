// `npm run bench:statement-history -- --stored N --lines N --prices N`: files of 300 days are imported over HTTP into a history of so many
// lines, which is 900 days long: the same money as another bank's table says it, the same without references and in
// other words, and new money. Says how long each took, how long other requests waited meanwhile, and the most memory.
import fs from 'node:fs'
import os from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { base } from '@portico/contract/wire.ts'
import { withClient } from '../api/src/platform/db/client.ts'
import { Pool } from '../api/src/platform/db/pool.ts'
import { installJobs } from '../api/src/platform/jobs/install.ts'
import { makeOperator } from '../api/test/support/documents.ts'
import { PayingPortal } from '../api/test/support/paying-process.ts'
import { camt, csv, csvColumns, type Entry, ownIban } from '../api/test/support/statements.ts'
import { StripeServer } from '../api/test/support/stripe.ts'
import { benchDatabase } from './support/database.ts'
import { startFlags } from './support/portal.ts'

const { values } = parseArgs({
  options: {
    stored: { type: 'string', default: '1000000' },
    lines: { type: 'string', default: '60000' },
    prices: { type: 'string', default: '397' },
  },
})
const [stored, lines, prices] = [Number(values.stored), Number(values.lines), Number(values.prices)]
const [days, fileDays] = [900, 300]

const database = await benchDatabase()
const pool = new Pool(database.connection, 6, () => undefined)
await installJobs(database.connection)
await makeOperator(pool)
const stripe = new StripeServer()
const portal = new PayingPortal(database.connection, await stripe.listen(), startFlags())
await portal.start()
const billing = await portal.billing(pool)

const dayMs = 86_400_000
const first = Date.UTC(2024, 0, 1)
const dayOf = (n: number) => new Date(first + n * dayMs).toISOString().slice(0, 10)

/** The nth payment of the history: customers who pay one of some prices again and again. */
const payment = (n: number, day: number): Entry => ({
  day: dayOf(day),
  amount: `${5 + (n % prices)}.90`,
  payer: `Client ${n % 5000} Studio SRL`,
  iban: `RO09BCYP${String(n % 5000).padStart(16, '0')}`,
  text: `Plata factura ${n % 70_000} contract ${n % 900}`,
  reference: `BNK${n}`,
})

async function importFile(name: string, content: string, more: object = {}) {
  const headers = { 'portico-reason': 'bench' }
  const body = { filename: name, content: Buffer.from(content).toString('base64'), ...more }
  const url = `${base}/bank-statements/-actions/importStatement`
  const { status, text } = await portal.ask(billing, 'POST', url, { body, headers })
  if (status !== 200) throw new Error(`${name} was answered ${status}: ${text.slice(0, 500)}`)
  return JSON.parse(text) as { imported: number; doubtful: number; lines: number }
}

/** Lines as an import stores them, of the reading of a statement that was imported, about which a person has decided. */
async function makeHistory(): Promise<void> {
  await importFile('first.xml', camt([payment(0, 0)]))
  await withClient(database.connection, async (client) => {
    await client.query(
      `insert into bank_lines (statement_id, iban, reference, bank_reference, part, booked_on, amount, currency, payer_name, payer_iban, text, is_reversal, state)
       select s.id, s.iban, '#h' || n, 'BNK' || n, 0, '2024-01-01'::date + (n % ${days})::int, 5.90 + n % ${prices}, s.currency,
         'Client ' || n % 5000 || ' Studio SRL', 'RO09BCYP' || lpad((n % 5000)::text, 16, '0'),
         'Plata factura ' || n % 70000 || ' contract ' || n % 900, false, 'ignored'
       from (select * from bank_statements order by id limit 1) s, generate_series(1, ${stored}) n`,
    )
    await client.query('vacuum analyze bank_lines')
  })
}

const megabytes = () =>
  Number(/VmHWM:\s+(\d+)/.exec(fs.readFileSync(`/proc/${portal.pid}/status`, 'utf8'))?.[1]) / 1024

/** Asks for a small page again and again; returns the waits in ms, sorted. */
function others() {
  const waits: number[] = []
  let living = true
  const asking = (async () => {
    while (living) {
      const begun = performance.now()
      await portal.ask(undefined, 'GET', `${base}/languages`)
      waits.push(performance.now() - begun)
      await sleep(20)
    }
  })()
  return async () => {
    living = false
    await asking
    return waits.sort((a, b) => a - b)
  }
}

async function measure(what: string, content: string): Promise<void> {
  await portal.kill()
  await portal.start()
  const before = megabytes()
  const end = others()
  const begun = performance.now()
  const { imported, doubtful } = await importFile(`${what}.csv`, content, { columns: csvColumns })
  const took = (performance.now() - begun) / 1000
  const waits = await end()
  const at = (part: number) =>
    (waits[Math.min(waits.length - 1, Math.floor(waits.length * part))] ?? 0).toFixed(0)
  console.log(
    `${what}: ${(content.length / 1e6).toFixed(1)} MB, ${took.toFixed(1)} s; ${imported} new, ${doubtful} doubtful; ${waits.length} other requests waited ${at(0.5)} ms in the middle, ${at(0.99)} ms at most in 99 of 100, ${at(1)} ms at most; ${before.toFixed(0)} MiB before, ${megabytes().toFixed(0)} MiB at most`,
  )
}

// Lines of the last 300 days of the history, about as many of each day.
const known: Entry[] = []
for (let n = 1; n <= stored && known.length < lines; n++)
  if (n % days >= days - fileDays && (n * 7919) % stored < (lines * days) / fileDays)
    known.push(payment(n, n % days))

console.log(
  `${stored} stored lines of ${days} days of ${ownIban}, files of ${fileDays} days; load average ${os.loadavg()[0]?.toFixed(1)}`,
)
try {
  await makeHistory()
  await measure('the same', csv(known))
  await measure(
    'other words',
    csv(
      known.map(({ reference: _, iban: __, text, ...one }) => ({
        ...one,
        iban: '',
        text: `${text.slice(6, 20)} OP`,
      })),
    ),
  )
  await measure(
    'new',
    csv(known.map((one, n) => ({ ...one, amount: `${5 + (n % prices)}.35`, reference: `NEW${n}` }))),
  )
} finally {
  await portal.end()
  stripe.close()
  await pool.close()
  await database.stop()
}
process.exit()
