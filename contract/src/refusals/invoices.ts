import { declare } from './refusal.ts'

/** What invoices, their files and the rates on them refuse. */
export const invoiceRefusals = declare({
  billing_info_incomplete: [422, '{field} is missing.', 'Lipsește {field}.'],
  billing_sector_invalid: [
    422,
    'In Bucharest the city is SECTOR1 to SECTOR6.',
    'În București, localitatea este SECTOR1–SECTOR6.',
  ],
  documents_need_operator: [
    503,
    'Invoices cannot be issued at the moment: the operator has not entered in whose name. Try again later.',
    'Momentan nu se pot emite facturi: operatorul nu a stabilit în numele cui. Încearcă din nou mai târziu.',
  ],
  documents_need_series: [
    503,
    'Invoices cannot be issued at the moment: no series of numbers is open for today. Try again later.',
    'Momentan nu se pot emite facturi: nicio serie de numere nu este deschisă pentru astăzi. Încearcă din nou mai târziu.',
  ],
  documents_need_vat_rate: [
    503,
    'Invoices cannot be issued at the moment: the rate of VAT for {country} on {on} is not known. Try again later.',
    'Momentan nu se pot emite facturi: nu se cunoaște cota de TVA pentru {country} la {on}. Încearcă din nou mai târziu.',
  ],
  documents_need_exchange_rate: [
    503,
    'Invoices cannot be issued at the moment: there is no rate from {base} to {quote} for {on} yet. Try again later.',
    'Momentan nu se pot emite facturi: încă nu există un curs din {base} în {quote} pentru {on}. Încearcă din nou mai târziu.',
  ],
  exchange_currency_unknown: [
    422,
    'No account can be in {currency}.',
    'Niciun cont nu poate fi în {currency}.',
  ],
  exchange_currency_own: [
    422,
    '{currency} is the currency of the operator.',
    '{currency} este moneda operatorului.',
  ],
  exchange_day_ahead: [422, '{day} is still to come.', 'Ziua de {day} nu a venit încă.'],
  exchange_rate_stated: [
    409,
    'Documents state the rate of {day}, so it stays.',
    'Cursul din {day} apare pe documente, așa că rămâne.',
  ],

  document_pdf_not_ready: [
    409,
    'The PDF is being made. Try again in a moment.',
    'PDF-ul este în lucru. Încearcă din nou peste câteva momente.',
  ],
  document_xml_not_ready: [
    409,
    'There is no electronic invoice of this document, or not yet.',
    'Acest document nu are o factură electronică sau nu o are încă.',
  ],
  archive_empty: [
    409,
    'There are no documents in this period, or not yet.',
    'În această perioadă nu există documente sau nu există încă.',
  ],
  archive_most: [
    422,
    'An archive holds at most {most} documents. Choose a shorter period.',
    'Numărul maxim de documente dintr-o arhivă: {most}. Alege o perioadă mai scurtă.',
  ],
  archive_damaged: [
    503,
    'These documents are damaged or missing, so no archive was made: {files}. We have been notified.',
    'Aceste documente sunt deteriorate sau lipsesc, așa că arhiva nu a fost făcută: {files}. Am fost anunțați.',
  ],
  copies_most: [
    429,
    'At most {most} copies are sent in a day. Try again tomorrow.',
    'Numărul maxim de copii trimise pe zi: {most}. Încearcă din nou mâine.',
  ],

  credited_already: [
    409,
    'There is not so much left of this invoice to take back.',
    'Din această factură nu a mai rămas atât de stornat.',
  ],
  advance_used: [
    409,
    'Some of this advance is used already.',
    'O parte din acest avans a fost deja folosită.',
  ],
  invoice_without_lines: [
    422,
    'This invoice has nothing to take back.',
    'Această factură nu are nimic de stornat.',
  ],
  invoice_several_rates: [
    422,
    'An invoice with several rates is taken back as a whole.',
    'O factură cu mai multe cote se stornează integral.',
  ],
  storno_not_deposit: [
    409,
    'Only the invoice of a deposit can be issued again without VAT.',
    'Doar factura unei alimentări poate fi emisă din nou fără TVA.',
  ],
  storno_disputed: [409, 'This deposit is disputed.', 'Această alimentare este contestată.'],
  storno_nothing_left: [
    409,
    'Nothing is left of this deposit.',
    'Din această alimentare nu a mai rămas nimic.',
  ],
  storno_same_vat: [
    409,
    'As VAT is decided today, this invoice would have the same VAT again.',
    'Cum se stabilește TVA astăzi, factura ar avea din nou aceeași TVA.',
  ],
})
