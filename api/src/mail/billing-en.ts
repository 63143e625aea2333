import { dayIn, type Language, type Link, moneyIn, pages } from './words.ts'

const day = dayIn('en-GB')

const pay: Link = { label: 'Add money', path: pages.payment }

/** What is written about balances, in English. */
export const billingLetters: Pick<
  Language['letters'],
  'balance-low' | 'balance-negative' | 'balance-warned' | 'account-suspended' | 'account-resumed'
> = {
  'balance-low': ({ held, on }) => ({
    subject: `Your balance lasts until ${day(on)}`,
    say: [
      `You have ${moneyIn(held)} left. If you use as much as in the last days, that lasts until ${day(on)}.`,
    ],
    button: pay,
    after: ['Nothing stops on that day, but what is used from then on is owed.'],
  }),
  'balance-negative': ({ held, on }) => ({
    subject: 'Your balance is below zero',
    say: [`Your balance, credit included, is ${moneyIn(held)}. Your panels go on for now.`],
    button: pay,
    after: on === null ? [] : [`If nothing is paid, your panels are suspended on ${day(on)}.`],
  }),
  'balance-warned': ({ held, on }) => ({
    subject: on === null ? 'Your balance is still below zero' : `Your panels will be suspended on ${day(on)}`,
    say: [`Your balance, credit included, is still below zero: ${moneyIn(held)}.`],
    button: pay,
    after:
      on === null
        ? []
        : [`If nothing is paid, your panels are suspended on ${day(on)}. What is in them stays.`],
  }),
  'account-suspended': ({ held, trial }) => ({
    subject: trial ? 'Your trial has ended' : 'Your panels are suspended',
    say: [
      trial
        ? 'Your trial has ended, so your panels are suspended.'
        : `Your balance, credit included, is ${moneyIn(held)}, so your panels are suspended.`,
    ],
    button: pay,
    after: [
      trial
        ? 'Nothing is lost. As soon as there is money on your account, they run again.'
        : 'Nothing is lost. As soon as your balance is not below zero, they run again.',
    ],
  }),
  'account-resumed': () => ({
    subject: 'Your panels run again',
    say: ['Thank you. Your account is settled, and your panels are started again at this moment.'],
    button: { label: 'See your panels', path: pages.dashboard },
    after: [],
  }),
}
