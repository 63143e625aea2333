import { declare } from './refusal.ts'

/** Refusals of the ledger. */
export const ledgerRefusals = declare({
  amount_invalid: [422, 'This is not an amount.', 'Aceasta nu este o sumă.'],
  amount_decimals_most: [
    422,
    'An amount has at most {most} decimals.',
    'Numărul maxim de zecimale ale unei sume: {most}.',
  ],
  amount_not_positive: [422, 'The amount must be above zero.', 'Suma trebuie să fie mai mare decât zero.'],
  account_currency_differs: [
    422,
    'This account is kept in {kept}, not in {asked}.',
    'Acest cont este ținut în {kept}, nu în {asked}.',
  ],
  write_off_negative: [422, 'A write-off cannot be below zero.', 'Suma anulată nu poate fi sub zero.'],
  write_off_most: [409, 'Only a debt can be written off.', 'Se poate anula doar o datorie.'],
  credit_insufficient: [409, 'There is not enough credit.', 'Creditul nu este suficient.'],
  ledger_key_reused: [
    409,
    'This was already posted with different data.',
    'Operațiunea a fost deja înregistrată, cu alte date.',
  ],
  already_reversed: [409, 'This was already reversed.', 'Această înregistrare a fost deja anulată.'],
})
