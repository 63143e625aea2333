import { CannotStart, readEnv } from '#config/env.ts'
import { replaceSetupLinks } from '#identity/first-admin/setup-links.ts'
import { systemClock } from '#platform/clock.ts'
import { withDatabase } from './with-database.ts'

const isDone = `This portal is set up: its administrators invite further staff at /desk/staff, and
npm run staff:add -- EMAIL admin adds an administrator.`

/** `npm run setup:link`: a new link for the first administrator. */
async function main(): Promise<void> {
  const env = readEnv(process.env)
  await withDatabase(env, 'setup:link', async (pool) => {
    const link = await replaceSetupLinks({
      db: pool.kysely,
      now: systemClock.now(),
      publicUrl: env.publicUrl,
    })
    if (link === undefined) throw new CannotStart(isDone)
    console.log(`Open this link within 24 hours to become the first administrator; earlier ones are invalid.

  ${link}`)
  })
}

try {
  await main()
} catch (error) {
  console.error(error instanceof CannotStart ? error.message : error)
  process.exitCode = 1
}
