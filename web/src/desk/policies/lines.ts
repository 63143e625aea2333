import type { Row } from '../../api/rows.ts'
import { joined, periodsOf } from '../lists/periods.ts'
import type { TimeLineRow } from '../lists/time-lines.tsx'
import { ruleName, ruleValue } from './words.ts'

type Entry = Row<'policy-changes'>['changes'][number] & { readonly on: string }

/** A line for each rule that was changed, the last changed first; the changes come newest first. */
export function linesOf(rows: readonly Pick<Row<'policy-changes'>, 'at' | 'changes'>[]): TimeLineRow[] {
  const entries = rows.flatMap(({ at, changes }) =>
    changes.map((one): Entry => ({ ...one, on: at.slice(0, 10) })),
  )
  const ofRules = Map.groupBy(entries, ({ policy, currency, field }) =>
    JSON.stringify([policy, currency, field]),
  )
  return [...ofRules].flatMap(([key, ofRule]) => {
    const [last] = ofRule
    if (last === undefined) return []
    const spans = joined(
      periodsOf(ofRule.toReversed()).map(({ value, ...period }) => ({
        ...period,
        words: ruleValue(last, value),
      })),
    )
    return [{ key, name: ruleName(last), spans }]
  })
}
