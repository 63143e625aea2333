import type { TestProject } from 'vitest/node'
import type { Connection } from '#platform/db/connection.ts'
import { testServer } from './postgres.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** Leads to the server whose template database `testDatabase` copies. */
    postgres: Connection
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await testServer()
  project.provide('postgres', server.connection)
  return server.stop
}
