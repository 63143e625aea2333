/** A transfer in euros, as a bank's app reads it from a picture. */
export type Transfer = {
  readonly beneficiary: string
  readonly iban: string
  readonly amount: number
  readonly reference: string
}

/** The text of a QR code for a SEPA credit transfer (EPC069-12, version 2, in UTF-8), which banks' apps fill in. */
export const epcText = ({ beneficiary, iban, amount, reference }: Transfer): string =>
  [
    'BCD',
    '002',
    '1',
    'SCT',
    // The BIC, which banks find by the IBAN.
    '',
    beneficiary.slice(0, 70),
    iban.replace(/\s/g, ''),
    `EUR${amount.toFixed(2)}`,
    '',
    '',
    reference.slice(0, 140),
  ].join('\n')
