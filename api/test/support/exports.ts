import type { AccountingExportKind } from '@portico/contract/rules/money/accounting-exports.ts'
import { base } from '@portico/contract/wire.ts'
import Big from 'big.js'
import { parse } from 'csv-parse/sync'
import type { sql } from 'kysely'
import { expect } from 'vitest'
import type { Database } from '#platform/db/pool.ts'
import type { Visitor } from './portal.ts'

/** A line of an exported file, by the names of its columns. */
export type Line = Readonly<Record<string, string>>

/** The first and the last day of each month of 2025. */
export const months = Array.from({ length: 12 }, (_, month) => {
  const day = (of: number, on: number) => new Date(Date.UTC(2025, of, on)).toISOString().slice(0, 10)
  return [day(month, 1), day(month + 1, 0)] as const
})

/** Accounting exports of 2025 as a member of staff makes them: a file, the lines of one, and those of twelve by month. */
export function exportsOf(reader: () => Visitor) {
  async function fileOf(kind: AccountingExportKind, from: string, to: string): Promise<string> {
    const attributes = { kind, from_day: from, to_day: to }
    const made = await reader().post(`${base}/accounting-exports`, {
      data: { type: 'accounting-exports', attributes },
    })
    const { status, text } = await reader().get(`${base}/accounting-exports/${made.one.id}/-actions/download`)
    expect([kind, status]).toEqual([kind, 200])
    return text
  }
  const exported = async (
    kind: AccountingExportKind,
    from = '2025-01-01',
    to = '2025-12-31',
  ): Promise<Line[]> => parse(await fileOf(kind, from, to), { columns: true, bom: true })
  async function ofMonths(kind: AccountingExportKind): Promise<Line[]> {
    const lines: Line[] = []
    for (const [from, to] of months) lines.push(...(await exported(kind, from, to)))
    return lines
  }
  return { fileOf, exported, ofMonths }
}

/** Sums of a column by the values of others, without zeros. */
export function sums(lines: readonly Line[], by: readonly string[], column: string): Record<string, string> {
  const found = new Map<string, Big>()
  for (const line of lines) {
    const key = by.map((name) => line[name]).join(' ')
    found.set(key, (found.get(key) ?? new Big(0)).plus(line[column] ?? 'missing'))
  }
  const pairs = [...found].filter(([, sum]) => !sum.eq(0)).sort()
  return Object.fromEntries(pairs.map(([key, sum]) => [key, sum.toFixed(2)]))
}

/** The sum of a column. */
export const all = (lines: readonly Line[], column: string): string =>
  lines.reduce((sum, line) => sum.plus(line[column] ?? 'missing'), new Big(0)).toFixed(2)

/** Amounts of the database to compare files with: values by name, without zeros, and a single value. */
export function figuresOf(db: Database) {
  async function known(query: ReturnType<typeof sql<{ name: string; value: string }>>) {
    const { rows } = await query.execute(db)
    return Object.fromEntries(
      rows
        .filter(({ value }) => Number(value) !== 0)
        .map(({ name, value }): [string, string] => [name, new Big(value).toFixed(2)])
        .sort(),
    )
  }
  const sum = async (query: ReturnType<typeof sql<{ value: string }>>) =>
    new Big((await query.execute(db)).rows[0]?.value ?? 'missing').toFixed(2)
  return { known, sum }
}
