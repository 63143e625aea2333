import { afterAll, describe, expect, test } from 'vitest'
import { withClient } from '#platform/db/client.ts'
import { connectionFromUrl } from '#platform/db/connection.ts'
import { reachDatabase } from '#platform/db/external.ts'
import { Pool } from '#platform/db/pool.ts'
import { databaseFailure } from '#platform/http/database-failure.ts'
import { hasOpenssl } from './support/certificates.ts'
import { startTlsServer } from './support/tls-server.ts'

const there = hasOpenssl()
if (!there) console.log('openssl is not installed, so a database with TLS is not tried.')

describe.skipIf(!there)('a database that takes encrypted connections alone', async () => {
  if (!there) return
  const server = await startTlsServer(() => Promise.resolve())
  afterAll(() => server.stop())

  const encrypted = { sql: 'select ssl from pg_stat_ssl where pid = pg_backend_pid()', values: [] }
  const url = (parameters: string, host = 'localhost') =>
    `postgres://portico@${host}:${server.port}/portico?${parameters}`
  const trusting = (file: string) => `sslrootcert=${encodeURIComponent(file)}`
  const reach = (address: string) => reachDatabase({ databaseUrl: address }, () => undefined)
  const saidOf = (address: string) =>
    reach(address).then(
      () => 'connected',
      (error: unknown) => String(error),
    )

  test.each(['verify-full', 'require', 'verify-ca'])(
    'sslmode=%s encrypts, for a known authority',
    async (mode) => {
      const connection = await reach(url(`sslmode=${mode}&${trusting(server.authority)}`))
      const { rows } = await withClient(connection, (client) => client.query(encrypted.sql))
      expect(rows).toEqual([{ ssl: true }])
    },
  )

  test('several hosts encrypt as well, and the pool of requests does', async () => {
    const address = `postgres://portico@localhost:1,localhost:${server.port}/portico?${trusting(server.authority)}&sslmode=verify-full`
    const pool = new Pool(connectionFromUrl(address), 1, () => undefined)
    expect(await pool.run(encrypted)).toEqual([{ ssl: true }])
    await pool.close()
  })

  test.each(['verify-full', 'require', 'verify-ca', 'prefer'])(
    'sslmode=%s refuses another authority in one sentence that says what to do',
    async (mode) => {
      expect(await saidOf(url(`sslmode=${mode}&${trusting(server.otherAuthority)}`))).toMatch(
        /^CannotStart: The database of DATABASE_URL cannot be used: the certificate of the server is not accepted: no known authority signed it \([A-Z_]+\); name the file of its authority by sslrootcert in the address\.$/,
      )
    },
  )

  test('without a file of the authority the public ones are trusted alone', async () => {
    expect(await saidOf(url('sslmode=require'))).toContain('the certificate of the server is not accepted')
  })

  test('a server by another name than that of its certificate is refused', async () => {
    const said = await saidOf(url(`sslmode=verify-full&${trusting(server.authority)}`, '127.0.0.1'))
    expect(said).toContain(
      "the certificate of the server is not accepted: Hostname/IP does not match certificate's altnames",
    )
  })

  test('a missing file of the authority is named', async () => {
    const said = await saidOf(url(`sslmode=verify-full&${trusting('/nowhere/ca.crt')}`))
    expect(said).toContain("cannot be used: ENOENT: no such file or directory, open '/nowhere/ca.crt'.")
  })

  test('without TLS the server refuses, and no-verify takes any certificate', async () => {
    expect(await saidOf(url('sslmode=disable'))).toContain('no encryption')
    expect(await saidOf(url('sslmode=no-verify'))).toBe('connected')
  })

  test('an authority that changes while the portal runs is 503 until the file is right again', async () => {
    await server.replaceAuthority()
    const pool = (file: string) =>
      new Pool(connectionFromUrl(url(`sslmode=verify-full&${trusting(file)}`)), 1, () => undefined)
    const [before, after] = [pool(server.authority), pool(server.otherAuthority)]
    const failed = await before.run(encrypted).catch((error: unknown) => error)
    expect(databaseFailure(failed)).toMatchObject({ status: 503, code: 'unavailable' })
    expect(await after.run(encrypted)).toEqual([{ ssl: true }])
    await Promise.all([before.close(), after.close()])
  })
})
