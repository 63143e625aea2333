import type { AlertTopic } from './alert-topics.ts'
import { invoiceRuleInWords } from './money/invoice-rules.ts'

// In both languages, because the letters of the server and the pages of the desk say the same.

type Words = { readonly en: string; readonly ro: string }

/** The meaning of each alert to staff, and what to do about it. */
export const alertAdvice: Readonly<Record<AlertTopic, Words>> = {
  disputed: {
    en: 'The customer’s bank has opened a dispute. Answer it at the payment provider before its deadline.',
    ro: 'Banca clientului a deschis o contestație. Răspunde-i în contul de la procesatorul de plăți, înainte de termen.',
  },
  dispute_debt: {
    en: 'The bank took back a payment of which this part had been given back before, so the customer had it twice. It is a debt on their balance, without VAT. What they pay is set off against it by itself. To forgive the rest, write it off at the payment.',
    ro: 'Banca a retras o plată din care această parte fusese restituită înainte, așa că clientul a primit-o de două ori. Este o datorie în soldul lui, fără TVA. Ce plătește se compensează de la sine. Dacă i-o ierți, anuleaz-o la plată.',
  },
  dispute_differs: {
    en: 'The dispute and the refunds of the payment come to another sum than it had, or the currency differs. Compare them with the log of the account, and correct the balance.',
    ro: 'Contestația și rambursările plății însumează altceva decât plata sau moneda diferă. Compară-le cu jurnalul contului și corectează soldul.',
  },
  unknown_dispute: {
    en: 'Nothing was posted. Find out at the payment provider which payment it belongs to.',
    ro: 'Nu s-a înregistrat nimic. Află de la procesatorul de plăți cărei plăți îi aparține.',
  },
  unknown_payment: {
    en: 'The provider has received money that matches no payment here. Find out whose it is, or give it back.',
    ro: 'Procesatorul a primit bani care nu corespund niciunei plăți de aici. Află ai cui sunt sau returnează-i.',
  },
  amount_differs: {
    en: 'It was not credited. Find out why, then credit it or give it back.',
    ro: 'Suma nu a fost înregistrată. Află cauza, apoi înregistreaz-o sau returneaz-o.',
  },
  payment_currency: {
    en: 'The payment had failed, and the account was changed to another currency before its money arrived. If nothing was booked in the new currency, change the account back on the customer’s page: within minutes the portal books what the payment provider still has. Otherwise give the money back at the payment provider.',
    ro: 'Plata eșuase, iar moneda contului s-a schimbat înainte să sosească banii. Dacă nu s-a înregistrat nimic în moneda nouă, schimb-o la loc în pagina clientului: în câteva minute, portalul înregistrează suma rămasă la procesator. Altfel, returnează banii din contul de la procesator.',
  },
  charge_after_backup: {
    en: 'The portal was restored from a backup, and its original charged this card afterwards. Give the money back at the payment provider, or book it by a proforma and a transfer recorded by hand. Then resolve the alert: the client is not charged automatically until then.',
    ro: 'Portalul a fost restaurat dintr-o copie de siguranță, iar originalul a debitat cardul după aceea. Returnează banii din contul de la procesator sau înregistrează-i printr-o proformă și un transfer introdus manual. Apoi marchează alerta ca rezolvată: până atunci, clientul nu este debitat automat.',
  },
  charges_unknown: {
    en: 'The portal was restored from a backup, and the charges that its original made afterwards are unknown. Compare the payments at the provider since then with those here, and book or give back what is missing. Then resolve the alert: until then no card is charged automatically.',
    ro: 'Portalul a fost restaurat dintr-o copie de siguranță și nu se știe ce a debitat originalul după aceea. Compară plățile de atunci de la procesator cu cele de aici, apoi înregistrează sau returnează ce lipsește. Apoi marchează alerta ca rezolvată: până atunci, niciun card nu este debitat automat.',
  },
  staff_looks: {
    en: 'Ask them why. If they do not know of it, end their sessions under Staff at once.',
    ro: 'Întreabă de ce. Dacă nu știe despre asta, închide-i imediat sesiunile din Echipă.',
  },
  refund_returned: {
    en: 'The bank sent the refund back. Agree with the customer how they get the money.',
    ro: 'Banca a trimis rambursarea înapoi. Stabilește cu clientul cum își primește banii.',
  },
  transfer_due: {
    en: 'Send the amount to this account at the bank. Then confirm it at the payment, on the client’s page.',
    ro: 'Trimite suma în acest cont, de la bancă. Apoi confirm-o la plată, în pagina clientului.',
  },
  bank_money_unknown: {
    en: 'Money came to the bank account, and it is not certain whose it is. Decide about each line on the page “Bank”.',
    ro: 'Au intrat bani în contul bancar și nu este sigur ai cui sunt. Decide pentru fiecare linie în pagina „Bancă”.',
  },
  transfer_unseen: {
    en: 'Staff recorded these transfers by hand, and no statement of those days that a colleague imported shows them. Import the statement from the bank yourself, the same file too. If a line has another reference or day, match it with its transfer on the page “Bank”. If the transfers are not in it, ask who recorded them, and correct the balances.',
    ro: 'Aceste transferuri au fost înregistrate manual și nu apar în niciun extras al acelor zile importat de un coleg. Importă chiar tu extrasul de la bancă, chiar dacă fișierul este același. Dacă o linie are altă referință sau altă zi, asociaz-o cu transferul ei pe pagina „Bancă”. Dacă transferurile nu sunt în el, întreabă cine le-a înregistrat și corectează soldurile.',
  },
  einvoice_access: {
    en: 'The portal’s access to the tax office has ended, or ends soon. An administrator authorises it again on the page “e-Factura”.',
    ro: 'Accesul portalului la ANAF a expirat sau expiră în curând. Un administrator îl autorizează din nou în pagina „e-Factura”.',
  },
  einvoice_broken: {
    en: 'The document has no electronic invoice, because it violates these rules. Correct the details of the customer or of the company, credit the document, and issue it anew. A deposit is issued again by one action, after the bills that used it were credited. For a credit note, and once the rule no longer refuses it, make its electronic invoice again.',
    ro: 'Documentul nu are factură electronică, pentru că încalcă aceste reguli. Corectează datele clientului sau ale firmei, stornează documentul și emite unul nou. O alimentare se emite din nou printr-o singură acțiune, după stornarea facturilor care au folosit-o. Pentru o factură de stornare, sau când regula nu o mai refuză, refă factura electronică.',
  },
  einvoice_due_now: {
    en: 'The tax office has not accepted these documents, and their last working day is here or past. See the page “e-Factura”.',
    ro: 'ANAF nu a acceptat aceste documente, iar termenul expiră în cel mult o zi lucrătoare sau a expirat. Vezi pagina „e-Factura”.',
  },
  einvoice_due_soon: {
    en: 'The tax office has not accepted these documents, and two working days are left. See the page “e-Factura”.',
    ro: 'ANAF nu a acceptat aceste documente și mai sunt două zile lucrătoare. Vezi pagina „e-Factura”.',
  },
  einvoice_missing: {
    en: 'These documents must be sent to the tax office, but violate a rule of electronic invoices; their own alerts name it. Correct them by a credit note and a new document, or make the electronic invoice of a credit note again.',
    ro: 'Aceste documente trebuie trimise la ANAF, dar încalcă o regulă a facturii electronice, numită în alertele lor. Corectează-le prin stornare și un document nou sau, la o factură de stornare, refă factura electronică.',
  },
  einvoice_refused: {
    en: 'The tax office does not take these documents, or their file is missing. The page “e-Factura” has its words.',
    ro: 'ANAF nu preia aceste documente sau fișierul lor lipsește. Răspunsul ANAF este în pagina „e-Factura”.',
  },
  einvoice_rejected: {
    en: 'The tax office has rejected the document, or does not take a file of its size. Correct it by a credit note and a new document. A deposit is issued again by one action, after the bills that used it were credited. If its details are right, as those of a credit note are, make its electronic invoice again on the page “e-Factura”.',
    ro: 'ANAF a respins documentul sau nu preia un fișier atât de mare. Corectează-l prin stornare și un document nou. O alimentare se emite din nou printr-o singură acțiune, după stornarea facturilor care au folosit-o. Dacă datele sunt corecte, ca la o factură de stornare, refă factura electronică în pagina „e-Factura”.',
  },
  einvoice_unknown: {
    en: 'These documents were sent, and their outcome is still not known. Look them up at the tax office, and decide on the page “e-Factura”.',
    ro: 'Aceste documente au fost trimise, dar rezultatul nu se cunoaște. Caută-le în SPV și decide în pagina „e-Factura”.',
  },
  reconciliation: {
    en: 'What the provider has and what the books have does not match. Compare both and correct what is wrong.',
    ro: 'Ce are procesatorul nu corespunde cu registrul. Compară-le și corectează ce este greșit.',
  },
  ledger_differs: {
    en: 'A kept sum does not follow from the entries. The page “Set-up and checks” lists the differences, and verifies again.',
    ro: 'O sumă păstrată nu rezultă din înregistrări. Pagina „Configurare și verificări” arată diferențele și verifică din nou.',
  },
  billing_log_differs: {
    en: 'Lines of the billing log do not follow from the books. Find out who changed them.',
    ro: 'Unele rânduri din jurnalul de facturare nu rezultă din registru. Află cine le-a modificat.',
  },
  usage_unpriced: {
    en: 'What is used costs nothing until the price list has a price for it.',
    ro: 'Consumul nu costă nimic până când lista de prețuri are un preț pentru el.',
  },
  exchange_rate_missing: {
    en: 'Without a recent rate no document can be issued in this currency. Fetch it or enter one under Exchange rates.',
    ro: 'Fără un curs recent nu se pot emite documente în această monedă. Adu-l sau adaugă unul la Cursuri de schimb.',
  },
  exchange_rate_unusual: {
    en: 'It was not taken. If it is right, enter it under Exchange rates.',
    ro: 'Nu a fost preluat. Dacă este corect, adaugă-l la Cursuri de schimb.',
  },
  bill_not_issued: {
    en: 'Ask the customer for what is missing. The bill is tried again by itself.',
    ro: 'Cere-i clientului datele care lipsesc. Emiterea se încearcă din nou de la sine.',
  },
  vat_due_left: {
    en: 'No open bill explains the amount in the ledger account for VAT due. Compare the documents with the ledger, and correct what is wrong.',
    ro: 'Nicio factură neachitată nu explică suma din contul de TVA de plată. Compară documentele cu registrul și corectează ce este greșit.',
  },
  vat_number_invalid: {
    en: 'Their documents have VAT from now on. Ask the customer whether they are still registered. The number is checked again by itself each day.',
    ro: 'De acum documentele lui au TVA. Întreabă clientul dacă mai este înregistrat. Codul se verifică din nou de la sine în fiecare zi.',
  },
  file_missing: { en: 'Restore it from a backup.', ro: 'Restaurează-l dintr-o copie de siguranță.' },
  file_damaged: {
    en: 'It differs from the stored original, so it is no longer sent. Restore it from a backup.',
    ro: 'Diferă de originalul stocat, așa că nu mai este trimis. Restaurează-l dintr-o copie de siguranță.',
  },
  storage_full: {
    en: 'No file can be stored until there is room.',
    ro: 'Nu se mai poate stoca niciun fișier până nu se eliberează spațiu.',
  },
  files_without_rows: {
    en: 'None of them is removed. Usually the storage is that of another portal, or the database is from an older backup: check both before you delete anything by hand.',
    ro: 'Niciunul nu este șters. De obicei spațiul de stocare este al altui portal sau baza de date provine dintr-o copie mai veche: verifică ambele înainte să ștergi ceva manual.',
  },
  archive_failed: {
    en: 'The last archives in DATA_DIR/backups are still there. Fix the cause; the next night is tried by itself.',
    ro: 'Ultimele arhive din DATA_DIR/backups există în continuare. Remediază cauza; noaptea următoare se încearcă de la sine.',
  },
  job_failed: {
    en: 'It is not tried again by itself. Fix the cause, then run it again.',
    ro: 'Nu se mai încearcă de la sine. Remediază cauza, apoi pornește-o din nou.',
  },
  check_failed: {
    en: 'It was well before. Do what the check says; the alert ends by itself once the check is good again.',
    ro: 'Înainte era în regulă. Fă ce spune verificarea; alerta se încheie de la sine când verificarea este din nou bună.',
  },
  engine_plan_differs: {
    en: 'Nothing has changed here, including the prices. Find out which of the two plans the panel should have, and set it on the platform.',
    ro: 'Aici nu s-a schimbat nimic, nici prețurile. Află care dintre cele două planuri trebuie să îl aibă panoul și setează-l pe platformă.',
  },
  plan_traffic_used: {
    en: 'The owner got a letter about it, and the panel keeps running. Decide whether they need a larger plan.',
    ro: 'Clientul a primit un e-mail, iar panoul funcționează în continuare. Decide dacă are nevoie de un plan mai mare.',
  },
  other: { en: 'Look at what is known, and decide.', ro: 'Verifică ce se știe și decide.' },
}

/** The names of facts that staff read; others are for machines. */
const alertFacts: Readonly<Record<string, Words>> = {
  ref: { en: 'Reference', ro: 'Referință' },
  provider: { en: 'Payment provider', ro: 'Procesator de plăți' },
  books: { en: 'Books', ro: 'Registru' },
  amount: { en: 'Amount', ro: 'Sumă' },
  above: { en: 'Above the rest of the payment', ro: 'Peste restul plății' },
  gross: { en: 'Amount', ro: 'Sumă' },
  iban: { en: 'IBAN', ro: 'IBAN' },
  number: { en: 'Document', ro: 'Document' },
  asked: { en: 'Asked for', ro: 'Sumă cerută' },
  received: { en: 'Received', ro: 'Sumă primită' },
  failure: { en: 'Reason', ro: 'Motiv' },
  lines: { en: 'Lines', ro: 'Linii' },
  documents: { en: 'Documents', ro: 'Documente' },
  numbers: { en: 'Numbers', ro: 'Numere' },
  payments: { en: 'Payments', ro: 'Plăți' },
  rules: { en: 'Rules', ro: 'Reguli' },
  differences: { en: 'Differences', ro: 'Diferențe' },
  places: { en: 'Where', ro: 'Unde' },
  clients: { en: 'Clients', ro: 'Clienți' },
  reasons: { en: 'Missing', ro: 'Lipsesc' },
  meter: { en: 'Kind of use', ro: 'Tip de consum' },
  list: { en: 'Price list', ro: 'Listă de prețuri' },
  currency: { en: 'Currency', ro: 'Monedă' },
  day: { en: 'Day', ro: 'Zi' },
  rate: { en: 'Rate', ro: 'Curs' },
  before: { en: 'Rate before', ro: 'Curs anterior' },
  source: { en: 'Source', ro: 'Sursă' },
  newest: { en: 'Newest rate of', ro: 'Cel mai nou curs din' },
  jobs: { en: 'Jobs', ro: 'Sarcini' },
  last_error: { en: 'Last error', ro: 'Ultima eroare' },
  said: { en: 'Error', ro: 'Eroare' },
  plan: { en: 'Plan', ro: 'Plan' },
  allowed: { en: 'Allowed (GB a month)', ro: 'Permis (GB pe lună)' },
  used: { en: 'Used (GB)', ro: 'Consumat (GB)' },
  key: { en: 'File', ro: 'Fișier' },
}

// Sentences that were made in both languages; each reader sees their own.
const found: Words = { en: 'Found', ro: 'S-a constatat' }

/** The name of a fact for a reader; undefined for one that is for machines, or in another language. */
export const factName = (name: string, language: 'en' | 'ro'): string | undefined =>
  name === `found_${language}` ? found[language] : alertFacts[name]?.[language]

/** The facts whose values are sentences of programs and providers, which are in English. */
export const englishFacts: ReadonlySet<string> = new Set(['failure', 'last_error', 'said'])

/** The value of a fact in words; rules of electronic invoices say what they found, in the reader's language. */
export function factInWords(value: unknown, name?: string, language: 'en' | 'ro' = 'en'): string {
  if (Array.isArray(value)) return value.map((one) => factInWords(one, name, language)).join(', ')
  if (typeof value !== 'string') return JSON.stringify(value)
  return name === 'rules' ? `${value} (${invoiceRuleInWords(value)[language]})` : value
}
