import { dayIn, type Language, type Link, moneyIn, pages } from './words.ts'

const day = dayIn('ro-RO')

const pay: Link = { label: 'Alimentați contul', path: pages.payment }

const cards: Link = { label: 'Vedeți cardurile', path: pages.billing }

/** What is written about balances and payments, in Romanian. */
export const billingLetters: Pick<
  Language['letters'],
  | 'balance-low'
  | 'balance-negative'
  | 'balance-warned'
  | 'account-suspended'
  | 'account-resumed'
  | 'payment-action'
  | 'payment-declined'
  | 'card-expiring'
  | 'card-expired'
> = {
  'balance-low': ({ held, on }) => ({
    subject: `Soldul dumneavoastră ajunge până la ${day(on)}`,
    say: [
      `Mai aveți ${moneyIn(held)}. Dacă utilizarea rămâne ca în ultimele zile, suma ajunge până la ${day(on)}.`,
    ],
    button: pay,
    after: ['În acea zi nu se oprește nimic, dar ceea ce folosiți de atunci încolo devine datorie.'],
  }),
  'balance-negative': ({ held, on }) => ({
    subject: 'Soldul dumneavoastră este sub zero',
    say: [
      `Soldul dumneavoastră, inclusiv creditul, este ${moneyIn(held)}. Panourile funcționează în continuare deocamdată.`,
    ],
    button: pay,
    after: on === null ? [] : [`Dacă nu se plătește nimic, panourile vor fi suspendate la ${day(on)}.`],
  }),
  'balance-warned': ({ held, on }) => ({
    subject:
      on === null
        ? 'Soldul dumneavoastră este încă sub zero'
        : `Panourile dumneavoastră vor fi suspendate la ${day(on)}`,
    say: [`Soldul dumneavoastră, inclusiv creditul, este încă sub zero: ${moneyIn(held)}.`],
    button: pay,
    after:
      on === null
        ? []
        : [
            `Dacă nu se plătește nimic, panourile vor fi suspendate la ${day(on)}. Ceea ce conțin se păstrează.`,
          ],
  }),
  'account-suspended': ({ held, trial }) => ({
    subject: trial
      ? 'Perioada dumneavoastră de probă s-a încheiat'
      : 'Panourile dumneavoastră sunt suspendate',
    say: [
      trial
        ? 'Perioada dumneavoastră de probă s-a încheiat, așa că panourile sunt suspendate.'
        : `Soldul dumneavoastră, inclusiv creditul, este ${moneyIn(held)}, așa că panourile sunt suspendate.`,
    ],
    button: pay,
    after: [
      trial
        ? 'Nu se pierde nimic. De îndată ce există bani în cont, panourile pornesc din nou.'
        : 'Nu se pierde nimic. De îndată ce soldul nu mai este sub zero, panourile pornesc din nou.',
    ],
  }),
  'account-resumed': () => ({
    subject: 'Panourile dumneavoastră funcționează din nou',
    say: ['Vă mulțumim. Contul este în regulă, iar panourile sunt repornite chiar acum.'],
    button: { label: 'Vedeți panourile', path: pages.dashboard },
    after: [],
  }),
  'payment-action': ({ amount, transaction }) => ({
    subject: 'Banca dumneavoastră vă cere să confirmați o plată',
    say: [`Plata automată de ${moneyIn(amount)} nu este încă finalizată: banca dorește să o confirmați.`],
    button: { label: 'Confirmați plata', path: `${pages.payment}?transaction=${transaction}` },
    after: ['Până atunci nu se încasează nimic, iar plata automată așteaptă.'],
  }),
  'payment-declined': ({ amount }) => ({
    subject: 'Plata dumneavoastră automată a fost refuzată',
    say: [
      `Cardul a fost refuzat pentru ${moneyIn(amount)}, și la încercările următoare. Plata automată este în pauză.`,
    ],
    button: cards,
    after: [
      'Adăugați alt card sau porniți din nou plata automată și totul continuă. Puteți plăti și o singură dată, manual.',
    ],
  }),
  'card-expiring': ({ brand, last4, on }) => ({
    subject: `Cardul care se termină în ${last4} expiră în curând`,
    say: [`Cardul dumneavoastră (${brand}, terminat în ${last4}) poate fi folosit până la ${day(on)}.`],
    button: cards,
    after: ['Adăugați din timp noul card, ca plățile să continue.'],
  }),
  'card-expired': ({ brand, last4 }) => ({
    subject: `Cardul care se termină în ${last4} a expirat`,
    say: [`Cardul dumneavoastră (${brand}, terminat în ${last4}) nu mai poate fi folosit.`],
    button: cards,
    after: ['Adăugați noul card, ca plățile să continue.'],
  }),
}
