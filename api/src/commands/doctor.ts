import { CannotStart, type Env, readEnv } from '#config/env.ts'
import { copyOf } from '#platform/acts-as.ts'
import { type Connection, connectionFromUrl } from '#platform/db/connection.ts'
import { Pool } from '#platform/db/pool.ts'
import { openVault } from '#platform/open-vault.ts'
import { checkAddress } from './doctor/address.ts'
import { checkDatabase, checkPooler } from './doctor/database.ts'
import { checkEngines } from './doctor/engines.ts'
import { type Finding, lineOf, reasonOf, wrong } from './doctor/finding.ts'
import { checkFiles, checkMail, checkStripe } from './doctor/outside.ts'
import { checkSetUp } from './doctor/set-up.ts'
import { withConnection } from './with-database.ts'

const copied = 'this portal is a copy that charges, sends and removes nothing'
const takeover = 'npm run takeover makes it act, once the original is gone for good.'

/** The findings in the database, and in the engines, whose addresses and secrets it has. */
async function inDatabase(env: Env, connection: Connection): Promise<Finding[]> {
  const { findings, usable } = await checkDatabase(connection)
  if (!usable) return findings
  const pool = new Pool(connection, 1, () => undefined)
  try {
    const { vault } = await openVault(env, connection)
    const reason = await copyOf(env, connection)
    if (reason !== undefined) findings.push(wrong('copy', `${copied}, because ${reason}; ${takeover}`))
    return [...findings, ...(await checkSetUp(pool, env)), ...(await checkEngines(env, { pool, vault }))]
  } catch (error) {
    const fault =
      error instanceof CannotStart
        ? wrong('secret', error.message)
        : wrong('database', `a check failed (${reasonOf(error)}); look at the log of PostgreSQL.`)
    return [...findings, fault]
  } finally {
    await pool.close()
  }
}

/** `npm run doctor`: checks the configuration and everything that the portal depends on, and repairs nothing. */
async function main(): Promise<void> {
  const env = readEnv(process.env)
  const { databaseUrl, databaseDirectUrl } = env
  const direct = databaseDirectUrl ?? databaseUrl
  const database =
    direct === undefined
      ? withConnection(env, (connection) => inDatabase(env, connection))
      : inDatabase(env, connectionFromUrl(direct))
  const parts = await Promise.all([
    database,
    databaseUrl !== undefined && databaseDirectUrl !== undefined ? checkPooler(databaseUrl) : [],
    checkMail(env),
    checkFiles(env),
    checkStripe(env),
    checkAddress(env),
  ])
  const findings = parts.flat()
  for (const finding of findings) console.log(lineOf(finding))
  const faults = findings.filter(({ state }) => state === 'wrong').length
  console.log(
    faults === 0 ? 'Nothing is wrong.' : `${faults} ${faults === 1 ? 'thing is' : 'things are'} wrong.`,
  )
  if (faults > 0) process.exitCode = 1
}

try {
  await main()
} catch (error) {
  console.error(error instanceof CannotStart ? error.message : error)
  process.exitCode = 2
}
