import { CannotStart, type Env } from '#config/env.ts'
import { copyOf } from '#platform/acts-as.ts'
import { type Connection, connectionFromUrl } from '#platform/db/connection.ts'
import { Pool } from '#platform/db/pool.ts'
import { failureMessage } from '#platform/errors/failure-message.ts'
import { openVault } from '#platform/open-vault.ts'
import { checkAddress } from './address.ts'
import { checkDatabase, checkPooler, checkReplica, checkStandbys } from './database.ts'
import { checkDisk } from './disk.ts'
import { checkEngines } from './engines.ts'
import { type Finding, stop } from './finding.ts'
import { checkFiles, checkMail, checkStripe } from './outside.ts'
import { checkSetUp } from './set-up.ts'

const copy = (reason: string): Finding =>
  stop(
    'copy',
    `this portal is a copy that charges, sends and removes nothing, because ${reason}; npm run takeover makes it act, once the original is gone for good.`,
    `acest portal este o copie care nu facturează, nu trimite și nu șterge nimic (${reason}); npm run takeover îl face să acționeze, după ce originalul a dispărut definitiv.`,
  )

function faultOf(error: unknown): Finding {
  if (error instanceof CannotStart) return stop('secret', error.message, error.message)
  const reason = failureMessage(error)
  return stop(
    'database',
    `a check failed (${reason}); look at the log of PostgreSQL.`,
    `o verificare a eșuat (${reason}); uită-te în jurnalul PostgreSQL.`,
  )
}

/** The findings in the database, and in the engines, whose addresses and secrets it has. */
async function inDatabase(env: Env, connection: Connection): Promise<Finding[]> {
  const { findings, usable } = await checkDatabase(connection)
  if (!usable) return findings
  const pool = new Pool(connection, 1, () => undefined)
  try {
    const { vault } = await openVault(env, connection)
    const reason = await copyOf(env, connection)
    if (reason !== undefined) findings.push(copy(reason))
    return [...findings, ...(await checkSetUp(pool, env)), ...(await checkEngines(env, { pool, vault }))]
  } catch (error) {
    return [...findings, faultOf(error)]
  } finally {
    await pool.close()
  }
}

/** All findings about the configuration and everything that the portal depends on; nothing is repaired. */
export async function allChecks(env: Env, connection: Connection): Promise<Finding[]> {
  const { databaseUrl, databaseDirectUrl, databaseReadUrl, standbys } = env
  const parts = await Promise.all([
    inDatabase(env, connection),
    databaseUrl !== undefined && databaseDirectUrl !== undefined ? checkPooler(databaseUrl) : [],
    standbys === 0 ? [] : checkStandbys(connection, standbys),
    databaseReadUrl === undefined ? [] : checkReplica(connection, databaseReadUrl),
    checkMail(env),
    checkFiles(env),
    checkDisk(env),
    checkStripe(env),
    checkAddress(env),
  ])
  return parts.flat()
}

/** The connection that the checks of a configured database use: without its pooler. */
export function directConnection({ databaseUrl, databaseDirectUrl }: Env): Connection | undefined {
  const direct = databaseDirectUrl ?? databaseUrl
  return direct === undefined ? undefined : connectionFromUrl(direct)
}
