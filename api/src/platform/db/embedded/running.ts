import fs from 'node:fs'
import path from 'node:path'
import type { Connection } from '#platform/db/connection.ts'
import { serversOf } from './processes.ts'

// PostgreSQL writes its runtime facts into this file, one per line; the fifth is the socket's folder.
const socketLine = 4

/**
 * The database of the portal that is running on `dataDir`, for a command-line command; undefined when none
 * runs.
 */
export function runningEmbedded(dataDir: string, database = 'portico'): Connection | undefined {
  const cluster = path.join(dataDir, 'database', 'postgres')
  if (!fs.existsSync(cluster)) return undefined
  const place = fs.realpathSync(cluster)
  if (serversOf(place).postmaster === undefined) return undefined
  const host = fs.readFileSync(path.join(place, 'postmaster.pid'), 'utf8').split('\n')[socketLine]?.trim()
  return host ? { host, port: 5432, user: 'portico', database } : undefined
}
