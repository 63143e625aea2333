import { counted } from './romanian.ts'
import { cardName, dayIn, type Language, type Link, moneyIn, pages } from './words.ts'

const day = dayIn('ro-RO')

const pay: Link = { label: 'Alimentează contul', path: pages.payment }

const cards: Link = { label: 'Vezi cardurile', path: pages.billing }

const since = (days: number) => {
  if (days === 0) return 'de astăzi'
  return days === 1 ? 'de o zi' : `de ${counted(days, 'zile')}`
}

/** Romanian letters about balances and payments. */
export const billingLetters: Pick<
  Language['letters'],
  | 'balance-low'
  | 'balance-negative'
  | 'balance-warned'
  | 'account-suspended'
  | 'account-resumed'
  | 'payment-action'
  | 'payment-declined'
  | 'refund-returned'
  | 'card-expiring'
  | 'card-expired'
> = {
  'balance-low': ({ held, on }) => ({
    subject: `Soldul tău ajunge până pe ${day(on)}`,
    say: [`Mai ai ${moneyIn(held)}. La consumul din ultimele zile, îți ajung până pe ${day(on)}.`],
    button: pay,
    after: ['În acea zi nu se oprește nimic, dar consumul de atunci înainte devine datorie.'],
  }),
  'balance-negative': ({ held, days, on }) => ({
    subject: `Soldul tău este sub zero ${since(days)}`,
    say: [
      `Soldul tău, împreună cu creditul, este ${moneyIn(held)}. Deocamdată, panourile funcționează în continuare.`,
    ],
    button: pay,
    after: on === null ? [] : [`Dacă nu se plătește nimic, panourile vor fi suspendate pe ${day(on)}.`],
  }),
  'balance-warned': ({ held, days, on }) => ({
    subject:
      on === null
        ? `Soldul tău este sub zero ${since(days)}`
        : `Sub zero ${since(days)}: panourile vor fi suspendate pe ${day(on)}`,
    say: [`Soldul tău, împreună cu creditul, este tot sub zero: ${moneyIn(held)}.`],
    button: pay,
    after:
      on === null
        ? []
        : [
            `Dacă nu se plătește nimic, panourile vor fi suspendate pe ${day(on)}. Conținutul lor se păstrează.`,
          ],
  }),
  'account-suspended': ({ held, trial }) => ({
    subject: trial
      ? 'Perioada ta de probă s-a încheiat, iar panourile sunt suspendate'
      : 'Panourile tale sunt suspendate pentru că soldul este sub zero',
    say: [
      trial
        ? 'Perioada ta de probă s-a încheiat, așa că panourile sunt suspendate.'
        : `Soldul tău, împreună cu creditul, este ${moneyIn(held)}, așa că panourile sunt suspendate.`,
    ],
    button: pay,
    after: [
      trial
        ? 'Nu se pierde nimic. De îndată ce alimentezi contul, panourile pornesc din nou.'
        : 'Nu se pierde nimic. De îndată ce soldul nu mai este sub zero, panourile pornesc din nou.',
    ],
  }),
  'account-resumed': () => ({
    subject: 'Panourile tale pornesc din nou',
    say: ['Mulțumim. Soldul este achitat, iar panourile pornesc chiar acum.'],
    button: { label: 'Vezi panourile', path: pages.dashboard },
    after: [],
  }),
  'payment-action': ({ amount, transaction }) => ({
    subject: 'Banca îți cere să confirmi o plată',
    say: [`Plata automată de ${moneyIn(amount)} nu este încă încheiată: banca vrea să o confirmi.`],
    button: { label: 'Confirmă plata', path: `${pages.payment}?transaction=${transaction}` },
    after: ['Până atunci nu se debitează nimic, iar plata automată așteaptă.'],
  }),
  'payment-declined': ({ amount }) => ({
    subject: 'Plata ta automată a fost refuzată',
    say: [
      `Cardul a fost refuzat pentru ${moneyIn(amount)}, inclusiv când am încercat din nou. Plata automată este în pauză.`,
    ],
    button: cards,
    after: [
      'Ca să o reiei, adaugă alt card sau pornește din nou plata automată. Poți face și o singură plată, manual.',
    ],
  }),
  'refund-returned': ({ amount, number }) => ({
    subject: `O rambursare de ${moneyIn(amount)} a fost returnată`,
    say: [
      `Banca ta nu a acceptat suma de ${moneyIn(amount)} pe care ți-am trimis-o, așa că banii sunt din nou în sold, cu factura ${number}.`,
    ],
    button: { label: 'Vezi plățile', path: pages.billing },
    after: [
      'Poate cardul a fost închis. Dacă vrei banii înapoi, deschide un tichet și spune-ne unde să îi trimitem.',
    ],
  }),
  'card-expiring': ({ brand, last4, on }) => ({
    subject: `Cardul terminat în ${last4} expiră curând`,
    say: [`Cardul tău ${cardName(brand)}terminat în ${last4} nu mai poate fi debitat de pe ${day(on)}.`],
    button: cards,
    after: ['Adaugă din timp cardul nou, ca plățile să continue.'],
  }),
  'card-expired': ({ brand, last4 }) => ({
    subject: `Cardul terminat în ${last4} a expirat`,
    say: [`Cardul tău ${cardName(brand)}terminat în ${last4} nu mai poate fi debitat.`],
    button: cards,
    after: ['Adaugă cardul nou, ca plățile să continue.'],
  }),
}
