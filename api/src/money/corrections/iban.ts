import { refuse } from '#platform/errors/problem.ts'

/** The remainder of ISO 13616: letters count as 10 to 35. */
function remainder(iban: string): number {
  const moved = iban.slice(4) + iban.slice(0, 4)
  const digits = moved.replaceAll(/[A-Z]/g, (letter) => String(letter.charCodeAt(0) - 55))
  return [...digits].reduce((rest, digit) => (rest * 10 + Number(digit)) % 97, 0)
}

/** An account as banks write it, without spaces. Throws `iban_invalid`. */
export function ibanOf(typed: string | undefined): string {
  const iban = (typed ?? '').replaceAll(/\s/g, '').toUpperCase()
  if (!/^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/.test(iban) || remainder(iban) !== 1)
    throw refuse('iban_invalid', {}, { source: { pointer: '/data/iban' } })
  return iban
}
