import { declare } from '../refusal.ts'

/** Refusals of the ledger. */
export const ledgerRefusals = declare({
  price_list_from_past: [
    422,
    'Other prices begin on a day to come: days that are charged keep theirs.',
    'Alte prețuri încep într-o zi viitoare: zilele taxate și le păstrează pe ale lor.',
  ],
  price_list_unknown: [
    422,
    'There is no such list of prices for single clients.',
    'Nu există o astfel de listă de prețuri pentru clienți anume.',
  ],
  price_list_currency: [
    422,
    'The list is in {currency}, and the account of the client in {wanted}.',
    'Lista este în {currency}, iar contul clientului în {wanted}.',
  ],
  policy_suspend_order: [
    422,
    'Panels are suspended later than the account is warned.',
    'Panourile se suspendă mai târziu decât primește contul avertismentul.',
  ],
  policy_limit_order: [
    422,
    'The credit limit must be at least what the account is warned at.',
    'Limita de credit trebuie să fie cel puțin suma de la care contul este avertizat.',
  ],
  policy_deposit_order: [
    422,
    'The largest deposit must be at least the smallest.',
    'Cea mai mare alimentare trebuie să fie cel puțin cât cea mai mică.',
  ],
  policy_quick_outside: [
    422,
    'Every quick amount must lie between the smallest and the largest deposit.',
    'Fiecare sumă rapidă trebuie să fie între cea mai mică și cea mai mare alimentare.',
  ],
  policy_threshold_outside: [
    422,
    'The proposed threshold must lie between the lowest one and the largest deposit.',
    'Pragul propus trebuie să fie între cel mai mic prag și cea mai mare alimentare.',
  ],
  policy_recharge_outside: [
    422,
    'The proposed payment must lie between the smallest one and the largest deposit, and the monthly limit cannot be below it.',
    'Plata propusă trebuie să fie între cea mai mică plată și cea mai mare alimentare, iar limita lunară nu poate fi sub ea.',
  ],
  amount_invalid: [422, 'This is not an amount.', 'Aceasta nu este o sumă.'],
  amount_decimals_most: [
    422,
    'An amount has at most {most} decimals.',
    'Numărul maxim de zecimale ale unei sume: {most}.',
  ],
  amount_not_positive: [422, 'The amount must be above zero.', 'Suma trebuie să fie mai mare decât zero.'],
  ledger_check_running: [
    409,
    'The ledger is being verified. Wait for its result.',
    'Registrul contabil se verifică acum. Așteaptă rezultatul.',
  ],
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
