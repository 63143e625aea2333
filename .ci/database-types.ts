// Writes the types of the database's tables from a database that the migrations made: `npm run db:types`.
import { spawnSync } from 'node:child_process'
import path from 'node:path'
import type { Connection } from '../api/src/db/connection.ts'
import { template, testServer } from '../api/test/support/postgres.ts'

const root = path.join(import.meta.dirname, '..')
const file = path.join(root, 'api/src/db/types.ts')
// What the parsers of the pool make of a value.
const types = { int8: 'number', timestamptz: 'string', date: 'string', interval: 'string' }

function urlOf({ host = '', port = 5432, user = '', password = '' }: Connection): string {
  const url = new URL(`postgres://localhost:${port}/${template}`)
  url.username = user
  url.password = password
  url.searchParams.set('host', host)
  return url.href
}

/** Brings the types up to date, or with `--verify` only says whether they are; answers what went wrong. */
export function databaseTypes(server: Connection, ...more: '--verify'[]): string {
  // The queue's tables are its own affair.
  const options = [
    '--exclude-pattern=graphile_worker.*',
    '--dialect=postgres',
    '--date-parser=string',
    `--type-mapping=${JSON.stringify(types)}`,
  ]
  const args = [`--url=${urlOf(server)}`, `--out-file=${file}`, ...options, ...more]
  const { status, stdout, stderr } = spawnSync(path.join(root, 'node_modules/.bin/kysely-codegen'), args, {
    cwd: root,
    encoding: 'utf8',
  })
  return status === 0 ? '' : stdout + stderr
}

if (import.meta.main) {
  const server = await testServer()
  try {
    const wrong = databaseTypes(server.connection)
    if (wrong !== '') throw new Error(wrong)
  } finally {
    await server.stop()
  }
}
