import type { AddressInfo } from 'node:net'
import { callback } from '@portico/contract/calls/auth.ts'
import type { Pool } from '#platform/db/pool.ts'
import { testApp } from './app.ts'
import { testDatabase } from './database.ts'
import { Browser, person } from './people.ts'

export type TestServer = {
  readonly pool: Pool
  /** The base URL of the JSON:API types. */
  readonly api: string
  /** Signs a person in, and returns their id and the token of their client. */
  signIn(email: string): Promise<{ id: number; token: string }>
}

/** The real application on a free port of the loopback, with sign-in; clients of JSON:API are tried against it. */
export async function testServer(): Promise<TestServer> {
  const { pool } = await testDatabase()
  const { app } = await testApp(pool, { env: { rateLimitScale: 1000 } })
  await app.listen({ host: '127.0.0.1', port: 0 })
  // A server that listens on TCP has such an address.
  const { port } = app.server.address() as AddressInfo
  return {
    pool,
    api: `http://127.0.0.1:${port}/api/v1`,
    signIn: async (email) => {
      const { id } = await person(pool, email)
      const { token } = callback.output.parse((await new Browser(app).signIn(email)).json())
      return { id, token }
    },
  }
}
