import type { Failure } from '../../api/failure.ts'
import { faultInWords } from '../../texts/faults.ts'
import { inWords } from '../forms/refusal.ts'

/** Why something of a ticket was refused: what the server said of it, where it said anything. */
export function saidBy(failure: Failure): string {
  const said = failure.errors[0]?.detail
  return failure.status < 500 && failure.status !== 429 && said !== undefined
    ? faultInWords(said)
    : inWords(failure)
}
