import { declare } from '../refusal.ts'

/** Refusals of invoices, their files, and VAT and exchange rates. */
export const invoiceRefusals = declare({
  billing_info_incomplete: [422, '{field} is missing.', 'Lipsește {field}.'],
  billing_sector_invalid: [
    422,
    'In Bucharest the city is SECTOR1 to SECTOR6.',
    'În București, localitatea este SECTOR1–SECTOR6.',
  ],
  month_nothing_open: [
    409,
    'The month is closed: no client has charges without a bill.',
    'Luna este închisă: niciun client nu are consum fără factură.',
  ],
  month_client_not_open: [
    409,
    'The month of this client is closed already.',
    'Luna acestui client este deja închisă.',
  ],
  open_bill_nothing: [
    409,
    'There is nothing to bill to the end of {day}.',
    'Nu este nimic de facturat până la sfârșitul zilei de {day}.',
  ],
  open_bill_uncharged: [
    409,
    'Use of a day before today is still being charged. Try again in a few minutes.',
    'Consumul unei zile de dinainte de azi încă se debitează. Încearcă din nou peste câteva minute.',
  ],
  open_bill_last_month: [
    409,
    'The last month of this client has no bill yet. Close it first.',
    'Luna trecută a acestui client nu are încă factură. Închide-o mai întâi.',
  ],
  documents_need_operator: [
    503,
    'Invoices cannot be issued at the moment: the operator has not set up the issuer. Try again later.',
    'Momentan nu se pot emite facturi: operatorul nu a configurat emitentul. Încearcă din nou mai târziu.',
  ],
  documents_need_series: [
    503,
    'Invoices cannot be issued at the moment: no number series is open for today. Try again later.',
    'Momentan nu se pot emite facturi: nu există o serie de numere deschisă pentru astăzi. Încearcă din nou mai târziu.',
  ],
  documents_need_vat_rate: [
    503,
    'Invoices cannot be issued at the moment: the VAT rate for {country} on {on} is not known. Try again later.',
    'Momentan nu se pot emite facturi: nu se cunoaște cota de TVA pentru {country} la {on}. Încearcă din nou mai târziu.',
  ],
  documents_need_union_scheme: [
    503,
    'Invoices to consumers in {country} cannot be issued: the operator is outside the EU and not registered for its one-stop shop (OSS).',
    'Nu se pot emite facturi către consumatori din {country}: operatorul este în afara UE și nu este înregistrat la ghișeul unic (OSS).',
  ],
  vat_rate_on_documents: [
    409,
    'Documents for {day} or later state the present rate of {country}. Choose a later day.',
    'Documente pentru {day} sau mai târziu conțin cota actuală pentru {country}. Alege o zi ulterioară.',
  ],
  documents_need_exchange_rate: [
    503,
    'Invoices cannot be issued at the moment: there is no exchange rate from {base} to {quote} for {on} yet. Try again later.',
    'Momentan nu se pot emite facturi: încă nu există un curs din {base} în {quote} pentru {on}. Încearcă din nou mai târziu.',
  ],
  exchange_currency_unknown: [
    422,
    'No account can be in {currency}.',
    'Niciun cont nu poate fi în {currency}.',
  ],
  exchange_currency_own: [
    422,
    '{currency} is the operator’s currency.',
    '{currency} este moneda operatorului.',
  ],
  exchange_day_ahead: [422, '{day} is in the future.', 'Ziua de {day} este în viitor.'],
  exchange_source_published: [
    422,
    '“{source}” is the source of fetched rates. Write where you have this one from.',
    '„{source}” este sursa cursurilor preluate automat. Scrie de unde ai acest curs.',
  ],
  exchange_rate_unconfirmed: [
    409,
    'The rate differs by {change} % from {before}, the one before. Check it, and confirm it.',
    'Cursul diferă cu {change} % de cel anterior, {before}. Verifică-l și confirmă-l.',
  ],
  exchange_rate_published: [
    409,
    'The rate of {day} was published by {source} as {rate}, and is not replaced by hand.',
    'Cursul din {day} a fost publicat de {source}: {rate}. Nu se înlocuiește manual.',
  ],
  exchange_rate_stated: [
    409,
    'The rate of {day} is on issued documents and cannot be changed.',
    'Cursul din {day} apare pe documente emise și nu poate fi schimbat.',
  ],

  document_pdf_not_ready: [
    409,
    'The PDF is being prepared. Try again in a moment.',
    'PDF-ul se pregătește. Încearcă din nou peste câteva momente.',
  ],
  document_xml_not_ready: [
    409,
    'This document has no electronic invoice, or not yet.',
    'Acest document nu are o factură electronică sau nu o are încă.',
  ],
  archive_empty: [
    409,
    'There are no documents in this period, or not yet.',
    'În această perioadă nu există documente sau nu există încă.',
  ],
  archive_most: [
    422,
    'An archive can have at most {most} documents. Choose a shorter period.',
    'Numărul maxim de documente dintr-o arhivă: {most}. Alege o perioadă mai scurtă.',
  ],
  archive_damaged: [
    503,
    'These documents are damaged or missing, so no archive was created: {files}. We have been notified.',
    'Aceste documente sunt deteriorate sau lipsesc, așa că arhiva nu a fost creată: {files}. Am fost anunțați.',
  ],
  copies_most: [
    429,
    'At most {most} copies can be sent per day. Try again tomorrow.',
    'Numărul maxim de copii trimise pe zi: {most}. Încearcă din nou mâine.',
  ],

  credit_note_no_payment: [
    409,
    'No payment of this invoice can be sent back by this way for that amount. Choose another way, or credit a smaller amount.',
    'Nicio plată a acestei facturi nu poate fi returnată pe această cale cu suma cerută. Alege altă cale sau stornează o sumă mai mică.',
  ],
  iban_invalid: [422, 'This is not a valid IBAN.', 'Acesta nu este un IBAN valid.'],
  time_zone_unknown: [
    422,
    'This is not the name of a time zone, such as Europe/Bucharest.',
    'Acesta nu este numele unui fus orar, de exemplu Europe/Bucharest.',
  ],
  operator_fixed: [
    409,
    'Documents are issued, so the country and the currency of VAT stay.',
    'Există documente emise, așa că țara și moneda TVA-ului rămân.',
  ],
  operator_county_required: [
    422,
    'Documents of Romania state the county.',
    'Documentele din România conțin județul.',
  ],
  series_prefix_taken: [
    409,
    'The prefix {prefix} is used by another series. A number is never issued twice.',
    'Prefixul {prefix} este folosit de altă serie. Un număr nu se emite niciodată de două ori.',
  ],
  transfer_above_payment: [
    409,
    'Other refunds leave less of the payment than this transfer. If it was sent all the same, correct the balance.',
    'Alte rambursări lasă din plată mai puțin decât acest transfer. Dacă a fost trimis totuși, corectează soldul.',
  ],
  transfer_not_due: [
    409,
    'This refund is not waiting for a transfer.',
    'Această rambursare nu așteaptă un transfer.',
  ],
  credit_note_deposit: [
    409,
    'A deposit is given back by a refund of its payment. An invoice of one with wrong details is issued again.',
    'O alimentare se restituie prin rambursarea plății. Factura ei cu date greșite se emite din nou.',
  ],
  credit_note_line: [
    422,
    'Line {line} cannot be credited by itself.',
    'Rândul {line} nu poate fi stornat separat.',
  ],
  credit_note_deductions: [
    409,
    'These lines come to more than is left of the invoice after its deductions. Choose the deductions too, or an amount.',
    'Aceste rânduri depășesc cât a rămas din factură după deduceri. Alege și deducerile sau o sumă.',
  ],
  credit_note_lines_or_net: [
    422,
    'Choose lines or an amount, not both.',
    'Alege rânduri sau o sumă, nu ambele.',
  ],
  draft_changed: [
    409,
    'This draft was changed, issued or discarded meanwhile. Open it again.',
    'Această ciornă a fost modificată, emisă sau ștearsă între timp. Deschide-o din nou.',
  ],
  credited_by_amount: [
    409,
    'An amount of this invoice was credited before. Credit an amount, or all that is left.',
    'Din această factură s-a stornat deja o sumă. Stornează o sumă sau tot ce a rămas.',
  ],
  credited_by_lines: [
    409,
    'Lines of this invoice were credited before. Credit lines, or all that is left.',
    'Din această factură s-au stornat deja poziții. Stornează poziții sau tot ce a rămas.',
  ],
  credited_elsewhere: [
    409,
    'The bank took back an advance that paid for these services, so a later bill asks for them again. They are credited once: on the later bill, unless the first one was credited before.',
    'Banca a retras un avans din care s-au plătit aceste servicii, așa că o factură ulterioară le cere din nou. Se stornează o singură dată: pe factura ulterioară, dacă prima nu a fost deja stornată.',
  ],
  credited_already: [
    409,
    'This is more than can still be credited on this invoice.',
    'Este mai mult decât se mai poate storna din această factură.',
  ],
  advance_used: [
    409,
    'Part of this advance is already used.',
    'O parte din acest avans a fost deja folosită.',
  ],
  invoice_without_lines: [
    422,
    'This invoice has nothing to credit.',
    'Această factură nu are nimic de stornat.',
  ],
  invoice_several_rates: [
    422,
    'An invoice with several VAT rates can only be credited in full.',
    'O factură cu mai multe cote de TVA se stornează doar integral.',
  ],
  storno_not_deposit: [
    409,
    'Only a deposit invoice can be reissued.',
    'Doar factura unei alimentări poate fi emisă din nou.',
  ],
  storno_disputed: [409, 'This deposit is disputed.', 'Această alimentare este contestată.'],
  storno_nothing_left: [
    409,
    'Nothing is left of this deposit. Once the bills that used it are credited, it can be issued again.',
    'Din această alimentare nu a mai rămas nimic. După stornarea facturilor care au folosit-o, se poate emite din nou.',
  ],
  storno_moved: [
    409,
    'The client was in another country, or no company, when they paid. What was paid stays taxed as it was then.',
    'La data plății, clientul era în altă țară sau nu era firmă. Suma plătită rămâne impozitată ca atunci.',
  ],
  storno_other_vat: [
    409,
    'With these details the invoice would have other VAT. Only a company of another EU country has none after all: with a valid VAT number, where the invoice states no other one.',
    'Cu aceste date, factura ar avea alt TVA. Doar o firmă din alt stat UE nu îl datorează: cu un cod de TVA valid, dacă factura nu conține alt cod.',
  ],
  storno_same_vat: [
    409,
    'This invoice would have the same details and the same VAT again.',
    'Factura ar avea din nou aceleași date și același TVA.',
  ],
})
