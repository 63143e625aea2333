import { parseArgs } from 'node:util'
import { CannotStart, readEnv } from '#config/env.ts'
import { checkLedger } from '#money/ledger-check.ts'
import { Problem } from '#platform/errors/problem.ts'
import { filePartsOf } from '#platform/files/file-parts.ts'
import { verifyFiles } from '#privacy/stored-files/verify-files.ts'
import { withDatabase } from './with-database.ts'

const usage = 'Usage: npm run verify [-- --sample NUMBER]'

/** The number of files to read; all by default. */
function sampleOf(args: string[]): number | undefined {
  const { values } = parseArgs({ args, options: { sample: { type: 'string' } }, strict: false })
  const { sample } = values
  if (args.length === 0) return undefined
  if (typeof sample !== 'string' || !/^[1-9]\d{0,6}$/.test(sample)) throw new CannotStart(usage)
  return Number(sample)
}

/**
 * `npm run verify`: lists inconsistencies of the ledger, and stored files that are damaged or missing; fails
 * when there are any.
 */
async function main(args: string[]): Promise<void> {
  const env = readEnv(process.env)
  const sample = sampleOf(args)
  await withDatabase(env, 'verify', async (pool) => {
    const { length: differences } = await checkLedger(pool.kysely, console.log)
    console.log(`${differences} differences in the ledger`)
    const { storage } = await filePartsOf(env)
    const { read, damaged, missing } = await verifyFiles({ pool, storage }, { sample, tell: console.log })
    console.log(`${read} files read: ${damaged} damaged, ${missing} missing`)
    if (differences + damaged + missing > 0) process.exitCode = 1
  })
}

try {
  await main(process.argv.slice(2))
} catch (error) {
  const expected = error instanceof CannotStart || error instanceof Problem
  console.error(expected ? error.message : error)
  process.exitCode = 2
}
