// Measures the reports of the desk over a year of CLIENTS clients (100,000) and INVOICES invoices (1,000,000): the computation
// of the figures of days, and each report. Only the last two days have usage charges, because a day is computed by itself.
import os from 'node:os'
import { reportKinds } from '@portico/contract/rules/money/reports.ts'
import { fillReports } from '../api/src/money/reports/fill-reports.ts'
import { readReport } from '../api/src/money/reports/read-report.ts'
import { Pool } from '../api/src/platform/db/pool.ts'
import { installJobs } from '../api/src/platform/jobs/install.ts'
import { makeOperator } from '../api/test/support/documents.ts'
import { benchDatabase } from './support/database.ts'
import { makeDeskYear } from './support/desk-year.ts'

const clients = Number(process.env.CLIENTS ?? 100_000)
const invoices = Number(process.env.INVOICES ?? 1_000_000)

const database = await benchDatabase()
const pool = new Pool(database.connection, 4, () => undefined)
const db = pool.kysely

const timed = async <T>(work: () => Promise<T>): Promise<[number, T]> => {
  const start = performance.now()
  const done = await work()
  return [performance.now() - start, done]
}

try {
  await installJobs(database.connection)
  await makeOperator(pool)
  const [made] = await timed(() => makeDeskYear(database.connection, { clients, invoices }))
  console.log(`made in ${(made / 1000).toFixed(0)} s, load of the machine ${os.loadavg()[0]?.toFixed(1)}`)
  const [filled] = await timed(() => fillReports(db))
  console.log(`${'all days'.padEnd(28)} ${(filled / 1000).toFixed(1)} s`)
  const [again] = await timed(() => fillReports(db))
  console.log(`${'the next run'.padEnd(28)} ${(again / 1000).toFixed(1)} s`)
  const today = new Date()
  const monthsAgo = (count: number) =>
    new Date(Date.UTC(today.getUTCFullYear(), today.getUTCMonth() - count, 1))
  for (const kind of reportKinds) {
    const input = { from: monthsAgo(11).toISOString().slice(0, 10), to: today.toISOString().slice(0, 10) }
    const times: number[] = []
    let count = 0
    for (let at = 0; at < 3; at++) {
      const [time, answer] = await timed(() =>
        db.transaction().execute((tx) => readReport({ tx }, { row: { kind }, input })),
      )
      times.push(time)
      count = answer.count
    }
    console.log(
      `${kind.padEnd(28)} ${Math.min(...times).toFixed(0)} to ${Math.max(...times).toFixed(0)} ms, ${count} rows`,
    )
  }
} finally {
  await pool.close()
  await database.stop()
}
