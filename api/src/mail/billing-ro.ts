import { dayIn, type Language, type Link, moneyIn, pages } from './words.ts'

const day = dayIn('ro-RO')

const pay: Link = { label: 'Alimentați contul', path: pages.payment }

/** What is written about balances, in Romanian. */
export const billingLetters: Pick<
  Language['letters'],
  'balance-low' | 'balance-negative' | 'balance-warned' | 'account-suspended' | 'account-resumed'
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
}
