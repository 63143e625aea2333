import { declare } from './refusal.ts'

/** What the books refuse. */
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
  write_off_negative: [422, 'What is written off is not below zero.', 'Suma anulată nu poate fi sub zero.'],
  write_off_most: [409, 'Only what is owed can be written off.', 'Se poate anula doar ce este datorat.'],
  credit_insufficient: [409, 'There is not so much credit.', 'Nu există atât de mult credit.'],
  ledger_key_reused: [
    409,
    'This was posted before with other data.',
    'Acest lucru a fost înregistrat deja, cu alte date.',
  ],
  already_reversed: [409, 'This was taken back before.', 'Această înregistrare a fost deja anulată.'],
})
