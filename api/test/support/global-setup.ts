import type { TestProject } from 'vitest/node'
import type { Connection } from '#platform/db/connection.ts'
import { testServer } from './postgres.ts'
import { wish } from './wish.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** Leads to the server whose template database `testDatabase` copies. */
    postgres: Connection
    /** The seed of all random choices in this run. */
    seed: number
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await testServer()
  project.provide('postgres', server.connection)
  const seed = wish('TEST_SEED', Date.now() % 2 ** 31)
  project.provide('seed', seed)
  console.info(`TEST_SEED=${seed} makes the same choices again.`)
  return server.stop
}
