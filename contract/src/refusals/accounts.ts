import { declare } from './refusal.ts'

/** Refusals of accounts, billing details and data exports. */
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
    'The account still has panels. Delete them first.',
    'Contul mai are panouri. Șterge-le mai întâi.',
  ],
  account_payment_unfinished: [409, 'A payment is not finished yet.', 'O plată nu s-a încheiat încă.'],
  account_usage_uncharged: [
    409,
    'The last day’s usage is not charged yet. Try again tomorrow.',
    'Consumul ultimei zile nu a fost decontat încă. Încearcă din nou mâine.',
  ],
  account_in_debt: [
    409,
    'The account owes money. Pay it first.',
    'Contul are datorii. Plătește-le mai întâi.',
  ],
  account_has_money: [
    409,
    'The account still has a balance. Use it up or ask for a refund first.',
    'Contul mai are sold. Mai întâi consumă-l sau cere rambursarea lui.',
  ],
  account_has_unpaid_invoices: [
    409,
    'The account has unpaid invoices. Pay them first.',
    'Contul are facturi neachitate. Plătește-le mai întâi.',
  ],

  currency_not_offered: [
    422,
    'Accounts in this currency are not available.',
    'Nu oferim conturi în această monedă.',
  ],
  currency_fixed_by_transactions: [
    409,
    'The currency can no longer be changed, because the account has transactions.',
    'Moneda nu mai poate fi schimbată, pentru că există deja tranzacții în cont.',
  ],
  currency_fixed_by_use: [
    409,
    'The currency can no longer be changed, because the account has panels or usage.',
    'Moneda nu mai poate fi schimbată, pentru că există deja panouri sau consum în cont.',
  ],
  currency_fixed_by_payment: [
    409,
    'A payment or proforma is open. Complete or cancel it before you change the currency.',
    'Există o plată sau o proformă deschisă. Finalizeaz-o sau anuleaz-o înainte de a schimba moneda.',
  ],
  currency_fixed_by_automatic: [
    409,
    'Turn off automatic payment before you change the currency.',
    'Dezactivează plata automată înainte de a schimba moneda.',
  ],
  currency_fixed_by_prices: [
    409,
    'This account has agreed prices. Contact support to change the currency.',
    'Acest cont are prețuri negociate. Contactează suportul pentru a schimba moneda.',
  ],

  language_unknown: [422, 'There is no such language.', 'Această limbă nu există.'],
  country_unknown: [422, 'There is no such country.', 'Această țară nu există.'],
  terms_changed: [
    409,
    'The terms of service have changed to version {version}. Reload the page, read them and accept them.',
    'Termenii și condițiile s-au schimbat la versiunea {version}. Reîncarcă pagina, citește-i și acceptă-i.',
  ],
  text_from_past: [
    422,
    'A text applies from today or a later day on.',
    'Un text se aplică de astăzi sau dintr-o zi viitoare.',
  ],
  text_version_taken: [
    409,
    'This version is published already, and a published text never changes.',
    'Această versiune este deja publicată, iar un text publicat nu se mai schimbă.',
  ],
  text_day_taken: [409, 'Another version begins on this day.', 'Altă versiune începe în această zi.'],
  county_needs_country: [422, 'A county requires a country.', 'Pentru județ este nevoie și de țară.'],
  county_of_other_country: [
    422,
    'This county is not in this country.',
    'Acest județ nu este în această țară.',
  ],
  register_details_given: [409, 'You have already provided these details.', 'Ai completat deja aceste date.'],
  company_unknown: [
    404,
    'No company in this country has this VAT number.',
    'Nicio companie din această țară nu are acest cod TVA.',
  ],
  company_lookups_too_many: [
    429,
    'Too many company look-ups. Try again in a minute.',
    'Prea multe căutări de companii. Încearcă din nou peste un minut.',
  ],
  tax_office_unavailable: [
    503,
    'The tax office is not responding. Fill in the form yourself, or try again later.',
    'Organul fiscal nu răspunde. Completează formularul manual sau încearcă mai târziu.',
  ],

  data_export_not_found: [
    404,
    'This copy does not exist or was deleted.',
    'Această copie nu există sau a fost ștearsă.',
  ],
  data_export_not_ready: [409, 'The copy is not ready yet.', 'Copia nu este gata încă.'],
  data_export_running: [409, 'A copy is already being prepared.', 'Se pregătește deja o copie.'],
  data_exports_most: [
    429,
    'At most {most} copies can be made per day. Try again tomorrow.',
    'Numărul maxim de copii pe zi: {most}. Încearcă din nou mâine.',
  ],
})
