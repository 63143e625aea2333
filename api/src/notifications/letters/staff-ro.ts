import { aloneHours, requestHours } from '@portico/contract/resources/desk-requests.ts'
import type { AlertNoun, AlertTopic } from '@portico/contract/rules/alert-topics.ts'
import { alertAdvice } from '@portico/contract/rules/alert-words.ts'
import { askedVerbs } from '@portico/contract/rules/asked-verbs.ts'
import { linkLifetimes } from '@portico/contract/rules/link-lifetimes.ts'
import { aboutIn, brand, factsIn, type Language, type LetterOf, pages } from './words.ts'

const topics: Readonly<Record<AlertTopic, string>> = {
  disputed: 'O plată este contestată',
  dispute_debt: 'Un client a primit bani înapoi de două ori',
  dispute_differs: 'O contestație nu corespunde plății',
  unknown_dispute: 'O contestație privind o plată necunoscută',
  unknown_payment: 'O plată care nu a fost cerută',
  amount_differs: 'O plată a venit cu altă sumă',
  payment_currency: 'O plată a venit în fosta monedă a contului',
  charge_after_backup: 'Un card a fost debitat după copia de siguranță',
  charges_unknown: 'Plățile de după copia de siguranță nu sunt cunoscute',
  staff_looks: 'Un membru al echipei deschide mulți clienți',
  refund_returned: 'O rambursare a fost returnată',
  transfer_due: 'O rambursare așteaptă să fie trimisă prin transfer',
  bank_money_unknown: 'Bani din contul bancar așteaptă o decizie',
  transfer_unseen: 'Transferuri înregistrate care nu apar în niciun extras',
  einvoice_broken: 'Un document nu are factură electronică',
  einvoice_access: 'Accesul la ANAF expiră',
  einvoice_due_now: 'Documentele pentru ANAF au ajuns la termen',
  einvoice_due_soon: 'Documentele pentru ANAF ajung curând la termen',
  einvoice_missing: 'Documente fără factură electronică',
  einvoice_refused: 'ANAF nu preia documente',
  einvoice_rejected: 'ANAF a respins un document',
  einvoice_unknown: 'Rezultatul trimiterii unor documente nu se cunoaște',
  reconciliation: 'Diferențe între procesatorul de plăți și registrul contabil',
  ledger_differs: 'Registrul contabil are diferențe',
  billing_log_differs: 'Jurnalul de facturare nu corespunde cu registrul contabil',
  usage_unpriced: 'Consum fără preț',
  exchange_rate_missing: 'Lipsește un curs valutar',
  exchange_rate_unusual: 'Un curs valutar pare neobișnuit',
  bill_not_issued: 'O factură de servicii nu a putut fi emisă',
  vat_due_left: 'TVA-ul unui client nu este regularizat',
  vat_number_invalid: 'Codul de TVA al unui client nu mai este valid',
  file_missing: 'Lipsește un fișier stocat',
  file_damaged: 'Un fișier stocat este deteriorat',
  storage_full: 'Spațiul de stocare este plin',
  files_without_rows: 'Multe fișiere stocate nu aparțin de nimic',
  archive_failed: 'Arhivarea de noapte a bazei de date a eșuat',
  job_failed: 'O sarcină a eșuat definitiv',
  check_failed: 'O verificare a portalului eșuează',
  engine_plan_differs: 'O platformă de găzduire raportează alt plan pentru un panou',
  plan_traffic_used: 'Un panou a consumat traficul planului',
  other: 'Ceva necesită o decizie',
}

const nouns: Readonly<Record<AlertNoun, string>> = {
  payment: 'plata',
  client: 'clientul',
  document: 'documentul',
  'ticket file': 'fișierul de tichet',
  'data export': 'exportul de date',
  'usage of': 'consumul din',
  'billing log': 'jurnalul de facturare',
  'e-invoices': 'facturile electronice',
  'bank lines': 'liniile băncii',
  files: 'fișierele stocate',
  database: 'baza de date',
  check: 'verificarea',
  panel: 'panoul',
}

const roles: Readonly<Record<LetterOf['staff-invitation']['role'], string>> = {
  support: 'suport',
  billing: 'facturare',
  admin: 'administrator',
  readonly: 'doar citire',
}

/** Romanian letters to staff. */
export const staffLetters: Pick<
  Language['letters'],
  | 'staff-alert'
  | 'staff-invitation'
  | 'staff-new-device'
  | 'staff-request'
  | 'settings-replaced'
  | 'test-letter'
> = {
  'staff-alert': ({ topic, about, facts: known }) => ({
    subject: topics[topic],
    say: [`Este vorba despre: ${aboutIn(nouns, about)}. ${alertAdvice[topic].ro}`, ...factsIn('ro', known)],
    after: ['Primești acest mesaj o singură dată pentru fiecare caz. Alege aici ce mesaje primești:'],
    other: { label: 'Notificări', path: pages.notices },
  }),
  'staff-new-device': ({ who }) => ({
    subject: 'Un membru al echipei s-a conectat de pe un dispozitiv nou',
    say: [`${who} s-a conectat de pe un dispozitiv nefolosit până acum.`],
    button: { label: 'Vezi echipa', path: pages.staff },
    after: ['Dacă nu știe despre asta, închide-i imediat sesiunile de acolo.'],
  }),
  'staff-request': ({ by, verb, about, reason, isLonely }) => ({
    subject: `${by} cere o a doua persoană: ${askedVerbs[verb].ro}`,
    say: [
      `${by} cere: ${askedVerbs[verb].ro}. Este vorba despre: ${about}. Motivul: ${reason}`,
      isLonely
        ? `Nu există alt administrator, așa că ${by} o poate aproba fără altcineva peste ${aloneHours} de ore.`
        : `Un administrator o aprobă sau o respinge în ${requestHours} de ore.`,
    ],
    button: { label: 'Vezi cererea', path: pages.requests },
    after: ['Dacă nimeni nu putea cere acest lucru, închide sesiunile acestei persoane din consolă.'],
  }),
  'settings-replaced': ({ by, settings, reason }) => ({
    subject: `${by} înlocuiește setări de e-mail sau de plată`,
    say: [`${by} înlocuiește sau elimină: ${settings.join(', ')}. Motivul: ${reason}`],
    button: { label: 'Vezi echipa', path: pages.staff },
    after: [
      'Dacă nimeni nu putea dori acest lucru, închide de acolo sesiunile acestei persoane și introdu din nou valorile de dinainte: până atunci mesajele și plățile pot ajunge la altcineva.',
    ],
  }),
  'test-letter': () => ({
    subject: `Un mesaj de test de la ${brand}`,
    say: ['Acest mesaj a fost trimis din setările echipei, deci e-mailul funcționează.'],
    after: [],
  }),
  'staff-invitation': ({ role, link }) => ({
    subject: `Ai fost invitat în echipa ${brand}`,
    say: [
      `Un administrator ${brand} te invită în echipă, cu rolul: ${roles[role]}.`,
      'Alegi o parolă sau o cheie de acces, apoi activezi autentificarea în doi pași.',
    ],
    button: { label: 'Acceptă invitația', path: link },
    after: [
      `Linkul funcționează o singură dată, timp de ${linkLifetimes.staffInvitation} de ore.`,
      'Dacă nu știi despre ce este vorba, ignoră acest mesaj: nu se va întâmpla nimic.',
    ],
  }),
}
