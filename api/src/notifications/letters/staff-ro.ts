import type { AlertTopic } from '@portico/contract/rules/alert-topics.ts'
import { type Language, pages } from './words.ts'

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
  file_missing: 'Lipsește un fișier stocat',
  file_damaged: 'Un fișier stocat este deteriorat',
  storage_full: 'Spațiul de stocare este plin',
  job_failed: 'O sarcină a eșuat definitiv',
  other: 'Ceva necesită o decizie',
}

/** Romanian letters to staff about alerts. */
export const staffLetters: Pick<Language['letters'], 'staff-alert'> = {
  'staff-alert': ({ topic, about, facts }) => ({
    subject: topics[topic],
    say: [`Cineva din echipă trebuie să verifice: ${about}.`, ...facts],
    button: { label: 'Deschide portalul', path: pages.dashboard },
    after: [
      'Primești acest mesaj o singură dată pentru fiecare caz. Alege ce mesaje primești în Contul meu, la Notificări.',
    ],
  }),
}
