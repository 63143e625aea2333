import fs from 'node:fs'
import { parseArgs } from 'node:util'
import Big from 'big.js'
import pg from 'pg'
import { CannotStart, readEnv } from '#config/env.ts'
import { applyPlans, type Change, compare, unknownIn } from '#money/pricing/file/import-plans.ts'
import { exportPlans, type PlanFile } from '#money/pricing/file/plan-file.ts'
import { refusalOf } from '#money/pricing/file/plan-refusals.ts'
import { effectOf } from '#money/pricing/file/price-effect.ts'
import { readPlanFile } from '#money/pricing/file/read-plan-file.ts'
import type { Database } from '#platform/db/pool.ts'
import { inWords, type Refusal, reason } from '#platform/errors/problem.ts'
import { withDatabase } from './with-database.ts'

const usage = `Plans, their limits and engines, price lists and prices, in one JSON file.

  npm run plans --silent -- export > plans.json   writes the current plans
  npm run plans -- import plans.json              shows what would change, and what that would have meant for the last 30 days
  npm run plans -- import plans.json --apply      changes it

Prices say from which UTC day they count and until before which ("to", or null). What counted already stays as it is. Another price
begins on a day to come, and a dearer one after the days of notice. For each price list in the file its prices are all there are;
plans and lists that the file does not name stay.`

type Asked = { readonly command: 'export' } | { readonly command: 'import'; file: string; apply: boolean }

function given(args: string[]): Asked {
  try {
    const options = { apply: { type: 'boolean', default: false } } as const
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true })
    const [command, file, ...more] = positionals
    if (command === 'export' && file === undefined && !values.apply) return { command }
    if (command === 'import' && file !== undefined && more.length === 0)
      return { command, file, apply: values.apply }
  } catch {
    // The messages of parseArgs are about arguments; the usage text below is more helpful.
  }
  throw new CannotStart(usage)
}

const wordsOf = (refusals: readonly Refusal[]) => refusals.map((one) => inWords(one, 'en'))

function readFile(file: string): PlanFile {
  let text: string
  try {
    text = fs.readFileSync(file, 'utf8')
  } catch (error) {
    throw new CannotStart(`${file} cannot be read: ${error instanceof Error ? error.message : error}`)
  }
  const read = readPlanFile(text)
  if ('file' in read) return read.file
  throw new CannotStart(
    `${file} is not a file of plans and prices:\n${wordsOf(read.refused)
      .map((line) => `  ${line}`)
      .join('\n')}`,
  )
}

const refused = (why: string, lines: readonly string[]): CannotStart =>
  new CannotStart(`${why} Nothing was changed.\n${lines.map((line) => `  ${line}`).join('\n')}`)

function explained(error: unknown): unknown {
  const refusal = refusalOf(error)
  return refusal === undefined
    ? error
    : refused(inWords(refusal, 'en'), error instanceof pg.DatabaseError ? [error.detail ?? ''] : [])
}

function changed({ about, was, becomes }: Change): string {
  if (was === undefined) return `new: ${about}`
  if (becomes === undefined) return `removed: ${about}`
  return `changed: ${about}`
}

async function importPlans(db: Database, file: PlanFile, apply: boolean): Promise<void> {
  const unknown = await unknownIn(db, file)
  if (unknown.length > 0) throw refused('Names are unknown.', wordsOf(unknown))
  const { changes, faults } = await compare(db, file)
  if (faults.length > 0) throw refused('Prices cannot change like this.', wordsOf(faults))
  if (changes.length === 0) return console.log('The file matches the current plans: nothing to change.')
  const { gaps, effects } = await effectOf(db, file, changes)
  if (gaps.length > 0)
    throw refused(
      inWords(reason('prices_missing'), 'en'),
      gaps.map(({ currency, plan, what }) => `${currency}  ${plan}  ${what}`),
    )
  for (const change of changes) console.log(changed(change))
  for (const { client_id, currency, was, becomes } of effects) {
    const more = new Big(becomes).minus(was)
    console.log(
      `client ${client_id}: ${was} ${currency} would have been ${becomes} (${more.gt(0) ? '+' : ''}${more.toFixed(6)})`,
    )
  }
  const whom = `${changes.length} changes; ${effects.length} accounts would have paid another amount for the last 30 days.`
  if (!apply) return console.log(`${whom} Nothing was changed; --apply does.`)
  await db.transaction().execute((tx) => applyPlans(tx, file, changes))
  console.log(`${whom} They are stored.`)
}

/** `npm run plans` */
async function main(args: string[]): Promise<void> {
  const asked = given(args)
  const file = asked.command === 'import' ? readFile(asked.file) : undefined
  await withDatabase(readEnv(process.env), 'plans', async ({ kysely: db }) => {
    if (asked.command === 'import' && file) await importPlans(db, file, asked.apply)
    else console.log(JSON.stringify(await exportPlans(db), null, 2))
  })
}

try {
  await main(process.argv.slice(2))
} catch (error) {
  const said = explained(error)
  console.error(said instanceof CannotStart ? said.message : said)
  process.exitCode = 1
}
