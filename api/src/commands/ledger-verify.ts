import { CannotStart, readEnv } from '#config/env.ts'
import { checkLedger } from '#money/ledger-check.ts'
import { withDatabase } from './with-database.ts'

/** `npm run ledger:verify`: lists inconsistencies of the ledger, and fails when there are any. */
async function main(): Promise<void> {
  await withDatabase(readEnv(process.env), 'ledger:verify', async (pool) => {
    const { length: differences } = await checkLedger(pool.kysely, console.log)
    console.log(`${differences} differences`)
    if (differences > 0) process.exitCode = 1
  })
}

try {
  await main()
} catch (error) {
  console.error(error instanceof CannotStart ? error.message : error)
  process.exitCode = 1
}
