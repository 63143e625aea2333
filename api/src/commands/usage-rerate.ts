import { parseArgs } from 'node:util'
import { day } from '@portico/contract/fields.ts'
import { CannotStart, readEnv } from '#config/env.ts'
import type { Database } from '#platform/db/pool.ts'
import { rateUsage } from '#usage/charging.ts'
import { isPriceList, markForRerating, previewRerating, type Rerating } from '#usage/rerate.ts'
import { withDatabase } from './with-database.ts'

const usage = `Rates days again with the current prices.

  npm run usage:rerate -- --from 2026-11-01 --to 2026-11-30 [--list standard]           says what would change
  npm run usage:rerate -- --from 2026-11-01 --to 2026-11-30 [--list standard] --apply   applies them

Days are UTC days, both included. Each usage whose price is another gets a note; what was charged already is followed by a
posting of the difference, on the day on which it is charged. Issued documents stay as they are.`

type Asked = Rerating & { readonly apply: boolean }

function parseOptions(args: string[]): Asked {
  const text = { type: 'string' } as const // The literal type that parseArgs expects.
  try {
    const options = { from: text, to: text, list: text, apply: { type: 'boolean', default: false } } as const
    const { from = '', to = '', list, apply } = parseArgs({ args, options }).values
    const days = [from, to].every((one) => day.safeParse(one).success)
    if (days && from <= to) return { from, to, list, apply }
  } catch {
    // The messages of parseArgs are about arguments; the usage text below is more helpful.
  }
  throw new CannotStart(usage)
}

/** Shows the effect, and applies it with `apply`. */
async function rerate(db: Database, { apply, ...asked }: Asked): Promise<void> {
  if (asked.list !== undefined && !(await isPriceList(db, asked.list)))
    throw new CannotStart(`The price list ${asked.list} does not exist.`)
  const found = await previewRerating(db, asked)
  for (const { client_id, currency, sums, was, becomes } of found)
    console.log(`client ${client_id}: ${sums} sums, ${becomes} ${currency} instead of ${was}`)
  if (!apply) return console.log(`${found.length} accounts. Nothing was changed; --apply does.`)
  const marked = await markForRerating(db, asked)
  const { unpriced } = await rateUsage(db)
  console.log(`${marked} sums were rated again; ${unpriced} of all pending sums have no price.`)
}

/** `npm run usage:rerate` */
async function main(args: string[]): Promise<void> {
  const asked = parseOptions(args)
  await withDatabase(readEnv(process.env), 'usage:rerate', (pool) => rerate(pool.kysely, asked))
}

try {
  await main(process.argv.slice(2))
} catch (error) {
  console.error(error instanceof CannotStart ? error.message : error)
  process.exitCode = 1
}
