import * as z from 'zod/mini'
import { CannotStart, readEnv } from '#config/env.ts'
import { logDays } from '#staff/log-digest.ts'
import { withDatabase } from './with-database.ts'

const usage = `Prints what the log of staff holds of a UTC day, as the portal wrote it to its own log in the night after it.

  npm run staff:digest -- DAY [LAST DAY]      DAY: as 2026-11-26`

/** `npm run staff:digest`. */
async function main([from, to = from, ...more]: string[]): Promise<void> {
  const days = z.tuple([z.iso.date(), z.iso.date()]).safeParse([from, to])
  if (!days.success || more.length > 0) throw new CannotStart(usage)
  await withDatabase(readEnv(process.env), 'staff:digest', async ({ kysely }) => {
    for await (const day of logDays(kysely, ...days.data)) console.log(JSON.stringify(day))
  })
}

try {
  await main(process.argv.slice(2))
} catch (error) {
  console.error(error instanceof CannotStart ? error.message : error)
  process.exitCode = 1
}
