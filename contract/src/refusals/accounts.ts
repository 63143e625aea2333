import { declare } from './refusal.ts'

/** What accounts, billing details and their data refuse. */
export const accountsRefusals = declare({
  account_not_found: [404, 'There is no such account.', 'Acest cont nu există.'],
  account_holders_only: [403, 'Only account holders can do this.', 'Doar titularii de cont pot face asta.'],
  account_email_differs: [
    422,
    'This is not the address of your account.',
    'Aceasta nu este adresa contului tău.',
  ],
  account_has_panels: [
    409,
    'There are panels in the account. Delete them first.',
    'Contul are panouri. Șterge-le mai întâi.',
  ],
  account_payment_unfinished: [409, 'A payment is not finished yet.', 'O plată nu s-a încheiat încă.'],
  account_usage_uncharged: [
    409,
    'The use of the last day is not charged yet. Try again tomorrow.',
    'Consumul ultimei zile nu a fost taxat încă. Încearcă din nou mâine.',
  ],
  account_in_debt: [
    409,
    'The account owes money. Pay it first.',
    'Contul are datorii. Plătește-le mai întâi.',
  ],
  account_has_money: [
    409,
    'There is money in the account. Use it up or ask for it back first.',
    'Contul are sold. Mai întâi consumă-l sau cere-l înapoi.',
  ],
  account_has_unpaid_invoices: [
    409,
    'There are unpaid invoices. Pay them first.',
    'Contul are facturi neachitate. Plătește-le mai întâi.',
  ],

  language_unknown: [422, 'There is no such language.', 'Această limbă nu există.'],
  country_unknown: [422, 'There is no such country.', 'Această țară nu există.'],
  county_needs_country: [422, 'A county needs its country.', 'Pentru județ este nevoie și de țară.'],
  county_of_other_country: [422, 'The country has no such county.', 'Țara nu are acest județ.'],
  register_details_given: [409, 'You have given these details already.', 'Ai completat deja aceste date.'],
  company_unknown: [
    404,
    'No company is known by this VAT number in this country.',
    'Nicio companie din această țară nu are acest cod TVA.',
  ],
  company_lookups_too_many: [
    429,
    'Too many companies were looked up. Try again in a minute.',
    'S-au căutat prea multe companii. Încearcă din nou peste un minut.',
  ],
  tax_office_unavailable: [
    503,
    'The tax office does not answer. Fill in the form by hand, or try again later.',
    'Organul fiscal nu răspunde. Completează formularul manual sau încearcă mai târziu.',
  ],

  data_export_not_found: [
    404,
    'There is no such copy, or it was deleted.',
    'Această copie nu există sau a fost ștearsă.',
  ],
  data_export_not_ready: [409, 'The copy is not made yet.', 'Copia nu este gata încă.'],
  data_export_running: [409, 'A copy is being made already.', 'Se face deja o copie.'],
  data_exports_most: [
    429,
    'At most {most} copies are made in a day. Try again tomorrow.',
    'Numărul maxim de copii pe zi: {most}. Încearcă din nou mâine.',
  ],
})
