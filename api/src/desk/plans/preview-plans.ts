import { type deskPlans, mostPlanned } from '@portico/contract/resources/desk-plans.ts'
import Big from 'big.js'
import { sql } from 'kysely'
import type * as z from 'zod/mini'
import { clientName } from '#desk/money/client-name.ts'
import type { Plan } from '#money/pricing/file/import-plans.ts'
import type { PlanFile } from '#money/pricing/file/plan-file.ts'
import { refusalOf, refusalOfGap } from '#money/pricing/file/plan-refusals.ts'
import { type Effect, effectOf } from '#money/pricing/file/price-effect.ts'
import type { Context } from '#platform/context.ts'
import type { Database } from '#platform/db/pool.ts'
import { inWords, mostFaults, type Refusal } from '#platform/errors/problem.ts'
import { comparedTo, fileIn, stateOf } from './compared.ts'
import { described } from './described.ts'

type Preview = z.input<typeof deskPlans.actions.previewPlans.output>

/** The amounts that accounts would have paid, by currency. */
function sumsOf(effects: readonly Effect[]): Preview['sums'] {
  const byCurrency = Map.groupBy(effects, ({ currency }) => currency)
  return [...byCurrency].sort().map(([currency, all]) => {
    const sum = (of: 'was' | 'becomes') =>
      all.reduce((total, one) => total.plus(one[of]), new Big(0)).toFixed(6)
    const more = all.filter(({ was, becomes }) => new Big(becomes).gt(was)).length
    return { currency, was: sum('was'), becomes: sum('becomes'), more, less: all.length - more }
  })
}

const difference = ({ was, becomes }: Effect) => new Big(becomes).minus(was).abs()

/** Those with the largest difference, by their names. */
async function namedOf(tx: Database, effects: readonly Effect[]): Promise<Preview['clients']> {
  const largest = effects.toSorted((a, b) => difference(b).cmp(difference(a))).slice(0, mostPlanned.clients)
  const { rows } = await sql<{ id: number; name: string }>`select i.id, ${clientName(sql`i.id`)} as name
    from unnest(${largest.map(({ client_id }) => client_id)}::int8[]) i (id)`.execute(tx)
  const names = new Map(rows.map(({ id, name }) => [id, name]))
  return largest.map((one) => ({ ...one, client_name: names.get(one.client_id) ?? '' }))
}

type Effects = { readonly faults: readonly Refusal[]; readonly effects: readonly Effect[] }

/** The faults that only the database finds, or else what the file would have meant for accounts. */
async function tried(tx: Database, file: PlanFile, { changes, faults }: Plan): Promise<Effects> {
  if (faults.length > 0 || changes.length === 0) return { faults, effects: [] }
  try {
    const { gaps, effects } = await effectOf(tx, file, changes)
    return { faults: gaps.map(refusalOfGap), effects }
  } catch (error) {
    const refused = refusalOf(error)
    if (refused === undefined) throw error
    return { faults: [refused], effects: [] }
  }
}

/** Compares a file, and writes nothing. Throws what is wrong with its form, as `plan_file_value`. */
export async function previewPlans(
  { tx, actor }: Pick<Context, 'tx' | 'actor'>,
  { input }: { readonly input: { readonly text: string } },
): Promise<Preview> {
  const file = fileIn(input.text)
  const state = await stateOf(tx, file)
  const plan = await comparedTo(tx, file)
  const { faults, effects } = await tried(tx, file, plan)
  return {
    state,
    faults: faults
      .slice(0, mostFaults)
      .map((one) => ({ code: one.code, detail: inWords(one, actor.language) })),
    total: plan.changes.length,
    changes: plan.changes.slice(0, mostPlanned.changes).map(described),
    sums: sumsOf(effects),
    clients: await namedOf(tx, effects),
  }
}
