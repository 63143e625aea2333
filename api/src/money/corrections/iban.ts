import { isIban, plainIban } from '@portico/contract/rules/money/iban.ts'
import { refuse } from '#platform/errors/problem.ts'

/** An account as banks write it, without spaces. Throws `iban_invalid`. */
export function ibanOf(typed: string | undefined): string {
  const iban = plainIban(typed ?? '')
  if (!isIban(iban)) throw refuse('iban_invalid', {}, { source: { pointer: '/data/iban' } })
  return iban
}
