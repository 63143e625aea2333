import fs from 'node:fs'
import path from 'node:path'
import type { Connection } from '#platform/db/connection.ts'
import { serversOf } from './processes.ts'

// PostgreSQL writes what it runs with into this file, one fact a line; the fifth is the folder of its socket.
const socketLine = 4

/** The database that a running portal keeps in `dataDir`, for a command beside it; undefined when none runs. */
export function runningEmbedded(dataDir: string, database = 'portico'): Connection | undefined {
  const cluster = path.join(dataDir, 'database', 'postgres')
  if (!fs.existsSync(cluster)) return undefined
  const place = fs.realpathSync(cluster)
  if (serversOf(place).postmaster === undefined) return undefined
  const host = fs.readFileSync(path.join(place, 'postmaster.pid'), 'utf8').split('\n')[socketLine]?.trim()
  return host ? { host, port: 5432, user: 'portico', database } : undefined
}
