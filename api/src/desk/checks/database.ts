import { systemClock } from '#platform/clock.ts'
import { withClient } from '#platform/db/client.ts'
import { type Connection, connectionFromUrl } from '#platform/db/connection.ts'
import { missingSettings, poolerConnection } from '#platform/db/external.ts'
import { Reads } from '#platform/db/hosts/reads.ts'
import { pending } from '#platform/db/migrate.ts'
import { Pool } from '#platform/db/pool.ts'
import { failureMessage } from '#platform/errors/failure-message.ts'
import { type Finding, good, hint, stop, warn } from './finding.ts'

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
  if (recovers)
    return stop(
      about,
      'it is a standby and takes no writes; name the primary in DATABASE_URL.',
      'este o replică și nu acceptă scrieri; numește serverul primar în DATABASE_URL.',
    )
  if (readOnly)
    return stop(
      about,
      'it is set to read-only; reset default_transaction_read_only for the role and the database.',
      'este doar pentru citire; resetează default_transaction_read_only pentru rol și pentru baza de date.',
    )
  return good(
    about,
    `PostgreSQL ${version} answers and takes writes.`,
    `PostgreSQL ${version} răspunde și acceptă scrieri.`,
  )
}

function clock({ now }: Facts): Finding[] {
  const skew = Math.abs(systemClock.now().getTime() - new Date(now).getTime())
  return skew <= mostSkewMs
    ? []
    : [
        stop(
          'clock',
          `it differs from that of the database by ${Math.round(skew / 1000)} s; synchronise both by NTP.`,
          `diferă de cel al bazei de date cu ${Math.round(skew / 1000)} s; sincronizează-le prin NTP.`,
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
      const lacks = hint(
        about,
        `${missing.length} migrations are missing; start the portal, or run npm run migrate.`,
        `Migrări lipsă: ${missing.length}; pornește portalul sau rulează npm run migrate.`,
      )
      return { findings: [...findings, lacks], usable: false }
    })
  } catch (error) {
    const reason = failureMessage(error)
    const unusable = stop(
      about,
      `it cannot be used (${reason}); check DATABASE_URL and that PostgreSQL runs.`,
      `nu poate fi folosită (${reason}); verifică DATABASE_URL și dacă PostgreSQL rulează.`,
    )
    return { findings: [unusable], usable: false }
  }
}

/** Checks the pooler of `DATABASE_URL`. */
export async function checkPooler(url: string): Promise<Finding> {
  try {
    const missing = await missingSettings(poolerConnection(url))
    return missing.length === 0
      ? good(
          'pooler',
          'it answers, and its sessions have the settings of the portal.',
          'răspunde, iar sesiunile lui au setările portalului.',
        )
      : stop(
          'pooler',
          `its sessions lack settings; run ${missing.join(' ')} Then RECONNECT in the console of the pooler.`,
          `sesiunilor lui le lipsesc setări; rulează ${missing.join(' ')} Apoi RECONNECT în consola lui.`,
        )
  } catch (error) {
    const reason = failureMessage(error)
    return stop(
      'pooler',
      `it cannot be used (${reason}); check DATABASE_URL and that the pooler runs.`,
      `nu poate fi folosit (${reason}); verifică DATABASE_URL și dacă rulează.`,
    )
  }
}

// Each sender of the log that feeds no backup; a role without pg_monitor sees that there is one, and not its state.
const standbysSql = `select count(*)::int as attached from pg_stat_replication
  where state is null or state in ('catchup', 'streaming')`

/** Checks that as many standbys receive every change as are expected. */
export async function checkStandbys(connection: Connection, expected: number): Promise<Finding> {
  const about = 'standby'
  try {
    const { rows } = await withClient(connection, (client) => client.query<{ attached: number }>(standbysSql))
    const attached = rows[0]?.attached ?? 0
    return attached >= expected
      ? good(about, `${attached} attached to the primary.`, `conectate la serverul primar: ${attached}.`)
      : warn(
          about,
          `only ${attached} of ${expected} attached to the primary, so its loss may lose data; look at the logs of PostgreSQL and of Patroni.`,
          `conectate la serverul primar: ${attached} din ${expected}, deci odată cu el se pot pierde date; uită-te în jurnalele PostgreSQL și Patroni.`,
        )
  } catch (error) {
    const reason = failureMessage(error)
    return warn(
      about,
      `the primary cannot be asked for its standbys (${reason}).`,
      `serverul primar nu poate fi întrebat despre replicile lui (${reason}).`,
    )
  }
}

/** Checks the replica of `DATABASE_READ_URL`. */
export async function checkReplica(connection: Connection, url: string): Promise<Finding> {
  const pool = new Pool(connection, 1, () => undefined)
  const reads = new Reads(pool, new Pool(connectionFromUrl(url), 1, () => undefined))
  try {
    const lag = Math.round(await reads.lag())
    return lag < 2
      ? good('replica', 'it answers and has everything.', 'răspunde și are toate datele.')
      : warn(
          'replica',
          `it is ${lag} s behind, so the primary answers exports; look at its log and at the network.`,
          `este în urmă cu ${lag} s, deci exporturile vin de la serverul primar; verifică jurnalul ei și rețeaua.`,
        )
  } catch (error) {
    const reason = failureMessage(error)
    return warn(
      'replica',
      `it is not used (${reason}), so the primary answers exports; check DATABASE_READ_URL.`,
      `nu este folosită (${reason}), deci exporturile vin de la serverul primar; verifică DATABASE_READ_URL.`,
    )
  } finally {
    await reads.close()
    await pool.close()
  }
}
