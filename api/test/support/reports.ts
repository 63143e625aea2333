import type { ReportKind } from '@portico/contract/rules/money/reports.ts'
import { base } from '@portico/contract/wire.ts'
import type { Visitor } from './portal.ts'

type Cells = Readonly<Record<string, string | number | null>>

/** The answer of a report. */
export type ReportAnswer = {
  readonly currencies: readonly string[]
  readonly currency: string | null
  readonly rows: readonly Cells[]
  readonly sums: readonly Cells[]
  readonly count: number
}

/** The address of a report. */
export async function reportAt(reader: Visitor, kind: ReportKind): Promise<string> {
  const { list } = await reader.get(`${base}/reports`)
  return `${base}/reports/${list.find(({ attributes }) => attributes?.kind === kind)?.id}`
}

/** Reads a report as staff do. */
export async function readReport(
  reader: Visitor,
  kind: ReportKind,
  from: string,
  to: string,
  currency?: string,
): Promise<ReportAnswer> {
  const payload = encodeURIComponent(JSON.stringify({ from, to, currency }))
  const { status, text } = await reader.get(
    `${await reportAt(reader, kind)}/-actions/figures?payload=${payload}`,
  )
  if (status !== 200) throw new Error(text)
  return JSON.parse(text)
}
