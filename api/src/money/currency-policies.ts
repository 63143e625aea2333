import Big from 'big.js'
import type { Database } from '#platform/db/pool.ts'
import { type Problem, Problems, refuse } from '#platform/errors/problem.ts'

/** The operator's amounts in the currency of an account; exact decimals. */
export const amountsOf = (db: Database, clientId: number) =>
  db
    .selectFrom('clients as c')
    .innerJoin('currency_policies as q', 'q.currency_id', 'c.currency_id')
    .select(['q.deposit_least', 'q.deposit_most', 'q.threshold_least', 'q.recharge_least', 'q.cap_most'])
    .where('c.id', '=', clientId)
    .executeTakeFirstOrThrow()

type Bound = {
  /** The place in the request. */
  readonly pointer: string
  readonly amount: number | string | null | undefined
  readonly least?: string
  readonly most: string
}

const faultOf = ({ pointer, amount, least, most }: Bound): Problem[] => {
  if (amount == null) return []
  const source = { pointer }
  if (least !== undefined && new Big(amount).lt(least))
    return [refuse('number_least', { least: Number(least) }, { source })]
  return new Big(amount).gt(most) ? [refuse('number_most', { most: Number(most) }, { source })] : []
}

/** Throws `number_least` and `number_most`, all of a request at once. */
export function assertWithin(bounds: readonly Bound[]): void {
  const faults = bounds.flatMap(faultOf)
  if (faults.length > 0) throw new Problems(faults)
}
