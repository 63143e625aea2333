import { withClient } from '#platform/db/client.ts'
import type { Connection } from '#platform/db/connection.ts'
import { missingSettings, poolerConnection } from '#platform/db/external.ts'
import { pending } from '#platform/db/migrate.ts'
import { type Finding, good, note, reasonOf, wrong } from './finding.ts'

const about = 'database'
const mostSkewMs = 2000

type Facts = {
  readonly version: string
  readonly recovers: boolean
  readonly readOnly: boolean
  readonly now: string
}

const factsSql = `select current_setting('server_version') as version, pg_is_in_recovery() as recovers,
  current_setting('transaction_read_only')::bool as "readOnly", clock_timestamp()::text as now`

function writable({ version, recovers, readOnly }: Facts): Finding {
  if (recovers) return wrong(about, 'it is a standby and takes no writes; name the primary in DATABASE_URL.')
  if (readOnly)
    return wrong(
      about,
      'it is set to read-only; reset default_transaction_read_only for the role and the database.',
    )
  return good(about, `PostgreSQL ${version} answers and takes writes.`)
}

function clock({ now }: Facts): Finding[] {
  const skew = Math.abs(Date.now() - new Date(now).getTime())
  return skew <= mostSkewMs
    ? []
    : [
        wrong(
          'clock',
          `it differs from that of the database by ${Math.round(skew / 1000)} s; synchronise both by NTP.`,
        ),
      ]
}

/** Checks the database; `usable` tells whether the rest of it can be read. */
export async function checkDatabase(
  connection: Connection,
): Promise<{ readonly findings: Finding[]; readonly usable: boolean }> {
  try {
    return await withClient(connection, async (client) => {
      const { rows } = await client.query<Facts>(factsSql)
      const [facts] = rows
      if (facts === undefined) throw new Error('The database gave no answer.')
      const findings = [writable(facts), ...clock(facts)]
      const missing = await pending(client)
      if (missing.length === 0) return { findings, usable: true }
      const lacks = `${missing.length} migrations are missing; start the portal, or run npm run migrate.`
      return { findings: [...findings, note(about, lacks)], usable: false }
    })
  } catch (error) {
    const sentence = `it cannot be used (${reasonOf(error)}); check DATABASE_URL and that PostgreSQL runs.`
    return { findings: [wrong(about, sentence)], usable: false }
  }
}

/** Checks the pooler of `DATABASE_URL`. */
export async function checkPooler(url: string): Promise<Finding> {
  try {
    const missing = await missingSettings(poolerConnection(url))
    return missing.length === 0
      ? good('pooler', 'it answers, and its sessions have the settings of the portal.')
      : wrong(
          'pooler',
          `its sessions lack settings; run ${missing.join(' ')} Then RECONNECT in the console of the pooler.`,
        )
  } catch (error) {
    return wrong(
      'pooler',
      `it cannot be used (${reasonOf(error)}); check DATABASE_URL and that the pooler runs.`,
    )
  }
}
