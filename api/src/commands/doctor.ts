import { CannotStart, type Env, readEnv } from '#config/env.ts'
import { allChecks, directConnection } from '#desk/checks/all-checks.ts'
import type { Finding, FindingState } from '#desk/checks/finding.ts'
import type { Connection } from '#platform/db/connection.ts'
import { Pool } from '#platform/db/pool.ts'
import { openVault } from '#platform/open-vault.ts'
import { storedEnv } from '#platform/settings/settings.ts'
import { withConnection } from './with-database.ts'

const labels: Record<FindingState, string> = { good: 'ok', hint: 'hint', warn: 'WARN', stop: 'STOP' }

const lineOf = ({ state, about, words }: Finding): string =>
  `${labels[state].padEnd(6)} ${about}: ${words.en}`

/** By the worst finding; 3 is an invalid configuration. */
const exitCodes = { stop: 2, warn: 1 } as const

/** The configuration with what was entered at the desk; without it where the database cannot be read, which is a finding. */
async function completed(env: Env, connection: Connection): Promise<Env> {
  const pool = new Pool(connection, 1, () => undefined)
  try {
    const { vault } = await openVault(env, connection)
    return await storedEnv(process.env, { db: pool.kysely, vault })
  } catch {
    return env
  } finally {
    await pool.close()
  }
}

/** `npm run doctor`: prints all checks, for programs with `--json`. */
async function main(options: readonly string[]): Promise<void> {
  const env = readEnv(process.env)
  const configured = directConnection(env)
  const all = async (connection: Connection) => allChecks(await completed(env, connection), connection)
  // An unreachable database is a finding, so a configured one is not opened first.
  const findings = configured === undefined ? await withConnection(env, all) : await all(configured)
  const count = (of: FindingState) => findings.filter(({ state }) => state === of).length
  if (options.includes('--json')) console.log(JSON.stringify({ findings }))
  else {
    for (const finding of findings) console.log(lineOf(finding))
    const faults = count('stop') + count('warn')
    console.log(
      faults === 0 ? 'Nothing is wrong.' : `${faults} ${faults === 1 ? 'thing is' : 'things are'} wrong.`,
    )
  }
  if (count('stop') > 0) process.exitCode = exitCodes.stop
  else if (count('warn') > 0) process.exitCode = exitCodes.warn
}

try {
  await main(process.argv.slice(2))
} catch (error) {
  console.error(error instanceof CannotStart ? error.message : error)
  process.exitCode = 3
}
