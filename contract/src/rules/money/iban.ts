/** The remainder of ISO 13616: letters count as 10 to 35. */
function remainder(iban: string): number {
  const moved = iban.slice(4) + iban.slice(0, 4)
  const digits = moved.replaceAll(/[A-Z]/g, (letter) => String(letter.charCodeAt(0) - 55))
  return [...digits].reduce((rest, digit) => (rest * 10 + Number(digit)) % 97, 0)
}

/** An IBAN as banks write it, without spaces. */
export const plainIban = (typed: string): string => typed.replaceAll(/\s/g, '').toUpperCase()

/** Whether a text without spaces is an IBAN with correct check digits (ISO 13616). */
export const isIban = (text: string): boolean =>
  /^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/.test(text) && remainder(text) === 1
