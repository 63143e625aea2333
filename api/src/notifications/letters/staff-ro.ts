import type { AlertNoun, AlertTopic } from '@portico/contract/rules/alert-topics.ts'
import { aboutIn, factsIn, type Language, pages } from './words.ts'

const topics: Readonly<Record<AlertTopic, string>> = {
  disputed: 'O plată este contestată',
  dispute_differs: 'O contestație nu corespunde plății',
  unknown_dispute: 'O contestație privind o plată necunoscută',
  unknown_payment: 'O plată care nu a fost cerută',
  amount_differs: 'O plată a venit cu altă sumă',
  refund_returned: 'O rambursare a fost returnată',
  reconciliation: 'Diferențe între procesatorul de plăți și registrul contabil',
  ledger_differs: 'Registrul contabil are diferențe',
  billing_log_differs: 'Jurnalul de facturare nu corespunde cu registrul contabil',
  usage_unpriced: 'Consum fără preț',
  exchange_rate_missing: 'Lipsește un curs valutar',
  exchange_rate_unusual: 'Un curs valutar pare neobișnuit',
  bill_not_issued: 'O factură de servicii nu a putut fi emisă',
  vat_due_left: 'TVA-ul unui client nu este regularizat',
  file_missing: 'Lipsește un fișier stocat',
  file_damaged: 'Un fișier stocat este deteriorat',
  storage_full: 'Spațiul de stocare este plin',
  job_failed: 'O sarcină a eșuat definitiv',
  engine_plan_differs: 'O platformă de găzduire raportează alt plan pentru un panou',
  plan_traffic_used: 'Un panou a consumat traficul planului',
  other: 'Ceva necesită o decizie',
}

/** The meaning of each alert, and what to do about it. */
const advice: Readonly<Record<AlertTopic, string>> = {
  disputed:
    'Banca clientului a deschis o contestație. Răspunde-i în contul de la procesatorul de plăți, înainte de termen.',
  dispute_differs:
    'Contestația s-a încheiat cu altă sumă sau monedă decât plata, așa că nu s-a înregistrat nimic. Compară-le.',
  unknown_dispute: 'Nu s-a înregistrat nimic. Află de la procesatorul de plăți cărei plăți îi aparține.',
  unknown_payment:
    'Procesatorul a primit bani care nu corespund niciunei plăți de aici. Află ai cui sunt sau returnează-i.',
  amount_differs: 'Suma nu a fost înregistrată. Află cauza, apoi înregistreaz-o sau returneaz-o.',
  refund_returned: 'Banca a trimis rambursarea înapoi. Stabilește cu clientul cum își primește banii.',
  reconciliation: 'Ce are procesatorul nu corespunde cu registrul. Compară-le și corectează ce este greșit.',
  ledger_differs:
    'O sumă păstrată nu rezultă din înregistrări. „npm run ledger:verify” arată toate diferențele.',
  billing_log_differs:
    'Unele rânduri din jurnalul de facturare nu rezultă din registru. Află cine le-a modificat.',
  usage_unpriced: 'Consumul nu costă nimic până când lista de prețuri are un preț pentru el.',
  exchange_rate_missing:
    'Fără un curs recent nu se pot emite documente în această monedă. Adaugă unul cu „npm run fx:add”.',
  exchange_rate_unusual: 'Nu a fost preluat. Dacă este corect, adaugă-l cu „npm run fx:add”.',
  bill_not_issued: 'Cere-i clientului datele care lipsesc. Emiterea se încearcă din nou de la sine.',
  vat_due_left:
    'Nicio factură neachitată nu explică suma din contul de TVA de plată. Compară documentele cu registrul și corectează ce este greșit.',
  file_missing: 'Restaurează-l dintr-o copie de siguranță.',
  file_damaged:
    'Diferă de originalul stocat, așa că nu mai este trimis. Restaurează-l dintr-o copie de siguranță.',
  storage_full: 'Nu se mai poate stoca niciun fișier până nu se eliberează spațiu.',
  job_failed: 'Nu se mai încearcă de la sine. Remediază cauza, apoi pornește-o din nou.',
  engine_plan_differs:
    'Aici nu s-a schimbat nimic, nici prețurile. Află care dintre cele două planuri trebuie să îl aibă panoul și setează-l pe platformă.',
  plan_traffic_used:
    'Clientul a primit un e-mail, iar panoul funcționează în continuare. Decide dacă are nevoie de un plan mai mare.',
  other: 'Verifică ce se știe și decide.',
}

const nouns: Readonly<Record<AlertNoun, string>> = {
  payment: 'plata',
  client: 'clientul',
  document: 'documentul',
  'ticket file': 'fișierul de tichet',
  'data export': 'exportul de date',
  'usage of': 'consumul din',
  'billing log': 'jurnalul de facturare',
  files: 'fișierele stocate',
  panel: 'panoul',
}

const facts: Readonly<Record<string, string>> = {
  ref: 'Referință',
  provider: 'Procesator de plăți',
  books: 'Registru',
  amount: 'Sumă',
  gross: 'Sumă',
  asked: 'Sumă cerută',
  received: 'Sumă primită',
  failure: 'Motiv',
  differences: 'Diferențe',
  places: 'Unde',
  clients: 'Clienți',
  reasons: 'Lipsesc',
  meter: 'Tip de consum',
  list: 'Listă de prețuri',
  currency: 'Monedă',
  day: 'Zi',
  rate: 'Curs',
  before: 'Curs anterior',
  source: 'Sursă',
  newest: 'Cel mai nou curs din',
  jobs: 'Sarcini',
  last_error: 'Ultima eroare',
  said: 'Eroare',
  plan: 'Plan',
  allowed: 'Permis (GB pe lună)',
  used: 'Consumat (GB)',
  key: 'Fișier',
}

/** Romanian letters to staff about alerts. */
export const staffLetters: Pick<Language['letters'], 'staff-alert'> = {
  'staff-alert': ({ topic, about, facts: known }) => ({
    subject: topics[topic],
    say: [`Este vorba despre: ${aboutIn(nouns, about)}. ${advice[topic]}`, ...factsIn(facts, known)],
    after: ['Primești acest mesaj o singură dată pentru fiecare caz. Alege aici ce mesaje primești:'],
    other: { label: 'Notificări', path: pages.notices },
  }),
}
