import { parseArgs } from 'node:util'
import { day } from '@portico/contract/fields.ts'
import { CannotStart, readEnv } from '#config/env.ts'
import { type EnteredRate, enterRate, previewRate } from '#money/invoices/rates/fx-entry.ts'
import type { Database } from '#platform/db/pool.ts'
import { Problem } from '#platform/errors/problem.ts'
import { withDatabase } from './with-database.ts'

const usage = `Adds an exchange rate by hand, where none was published or a published one has to be confirmed.

  npm run fx:add -- --currency USD --day 2026-11-20 --rate 4.4100 --source "BNR, by phone"           shows the present rate
  npm run fx:add -- --currency USD --day 2026-11-20 --rate 4.4100 --source "BNR, by phone" --apply   adds it

The rate is how much of the operator's currency one of the other is, with at most six decimals. The day is the one on which it
was published: it counts for documents from the day after. A rate that no document states yet is replaced.`

type Asked = Omit<EnteredRate, 'quote'> & { readonly apply: boolean }

function parseOptions(args: string[]): Asked {
  const text = { type: 'string' } as const // The literal type that parseArgs expects.
  try {
    const options = { currency: text, day: text, rate: text, source: text } as const // The literal type that parseArgs expects.
    const { values } = parseArgs({
      args,
      options: { ...options, apply: { type: 'boolean', default: false } },
    })
    const { currency: base = '', day: publishedOn = '', rate = '', source = '', apply } = values
    const sound = /^[A-Z]{3}$/.test(base) && /^\d{1,8}(\.\d{1,6})?$/.test(rate) && /[1-9]/.test(rate)
    const said = source.trim()
    if (sound && day.safeParse(publishedOn).success && said !== '' && said.length <= 200)
      return { base, publishedOn, rate, source: said, apply }
  } catch {
    // The messages of parseArgs are about arguments; the usage text below is more helpful.
  }
  throw new CannotStart(usage)
}

/** Shows the known rates around the day, and adds the rate with `apply`. */
async function add(db: Database, { apply, ...asked }: Asked): Promise<void> {
  const { known, quote, change, replaces } = await previewRate(db, asked)
  for (const { publishedOn, rate, source } of known)
    console.log(`${publishedOn}  ${rate} ${quote}  ${source}`)
  const { base, publishedOn, rate } = asked
  if (change !== undefined) console.log(`This is ${change} % from the previous rate.`)
  const done = replaces ? 'replaces the one of that day' : 'is new'
  if (!apply)
    return console.log(
      `1 ${base} = ${rate} ${quote} of ${publishedOn} ${done}. Nothing was changed; --apply does.`,
    )
  await db.transaction().execute((tx) => enterRate(tx, { ...asked, quote }))
  console.log(`1 ${base} = ${rate} ${quote} of ${publishedOn} counts from the day after.`)
}

/** `npm run fx:add` */
async function main(args: string[]): Promise<void> {
  const asked = parseOptions(args)
  await withDatabase(readEnv(process.env), 'fx:add', (pool) => add(pool.kysely, asked))
}

try {
  await main(process.argv.slice(2))
} catch (error) {
  const expected = error instanceof CannotStart || error instanceof Problem
  console.error(expected ? error.message : error)
  process.exitCode = 1
}
