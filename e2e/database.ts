import fs from 'node:fs'
import path from 'node:path'
import pg from 'pg'

// PostgreSQL writes what it runs with into this file, one fact a line; the fifth is the folder of its socket.
const socketLine = 4

export type Change = (statement: string, ...values: readonly unknown[]) => Promise<void>

/** Changes in the database of a portal that keeps its data in a folder. */
export const databaseIn =
  (folder: string | undefined): Change =>
  async (statement, ...values) => {
    if (folder === undefined) throw new Error('Say by PORTAL_DATA which folder the portal keeps its data in.')
    const pidFile = fs.readFileSync(path.join(folder, 'database', 'postgres', 'postmaster.pid'), 'utf8')
    const host = pidFile.split('\n')[socketLine]?.trim()
    const client = new pg.Client({ ...(host && { host }), user: 'portico', database: 'portico' })
    await client.connect()
    try {
      await client.query(statement, [...values])
    } finally {
      await client.end()
    }
  }

/** Changes in the portal's database what otherwise only time would change, or a service that no browser reaches. */
export const inDatabase: Change = (statement, ...values) =>
  databaseIn(process.env.PORTAL_DATA)(statement, ...values)

/** The last sign-in of everybody with this address is longer ago than what counts as recent. */
export const letSignInAge = (email: string): Promise<void> =>
  inDatabase(
    `update auth_sessions set authenticated_at = now() - interval '11 minutes'
     where account_id = (select id from auth_accounts where email = $1)`,
    email,
  )
