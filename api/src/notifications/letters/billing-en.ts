import { cardName, dayIn, type Language, type Link, moneyIn, pages } from './words.ts'

const day = dayIn('en-GB')

const pay: Link = { label: 'Add money', path: pages.payment }

const cards: Link = { label: 'See your cards', path: pages.billing }

const since = (days: number) => {
  if (days === 0) return 'since today'
  return days === 1 ? 'for one day' : `for ${days} days`
}

/** English letters about balances and payments. */
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
    subject: `Your balance lasts until ${day(on)}`,
    say: [`You have ${moneyIn(held)} left. At your recent usage, this lasts until ${day(on)}.`],
    button: pay,
    after: ['Nothing stops on that day, but usage from then on becomes debt.'],
  }),
  'balance-negative': ({ held, days, on }) => ({
    subject: `Your balance has been below zero ${since(days)}`,
    say: [`Your balance, credit included, is ${moneyIn(held)}. Your panels keep running for now.`],
    button: pay,
    after: on === null ? [] : [`If nothing is paid, your panels are suspended on ${day(on)}.`],
  }),
  'balance-warned': ({ held, days, on }) => ({
    subject:
      on === null
        ? `Your balance has been below zero ${since(days)}`
        : `Below zero ${since(days)}: your panels will be suspended on ${day(on)}`,
    say: [`Your balance, credit included, is still below zero: ${moneyIn(held)}.`],
    button: pay,
    after:
      on === null
        ? []
        : [`If nothing is paid, your panels are suspended on ${day(on)}. Their content is kept.`],
  }),
  'account-suspended': ({ held, trial }) => ({
    subject: trial
      ? 'Your trial has ended, and your panels are suspended'
      : 'Your panels are suspended because your balance is below zero',
    say: [
      trial
        ? 'Your trial has ended, so your panels are suspended.'
        : `Your balance, credit included, is ${moneyIn(held)}, so your panels are suspended.`,
    ],
    button: pay,
    after: [
      trial
        ? 'Nothing is lost. As soon as there is money on your account, they run again.'
        : 'Nothing is lost. As soon as your balance is no longer below zero, they run again.',
    ],
  }),
  'account-resumed': () => ({
    subject: 'Your panels start again',
    say: ['Thank you. Your balance is settled, and your panels are starting again right now.'],
    button: { label: 'See your panels', path: pages.dashboard },
    after: [],
  }),
  'payment-action': ({ amount, transaction }) => ({
    subject: 'Your bank asks you to confirm a payment',
    say: [
      `Your automatic payment of ${moneyIn(amount)} is not complete yet: your bank wants you to confirm it.`,
    ],
    button: { label: 'Confirm the payment', path: `${pages.payment}?transaction=${transaction}` },
    after: ['Until then nothing is charged, and automatic payment waits.'],
  }),
  'payment-declined': ({ amount }) => ({
    subject: 'Your automatic payment was declined',
    say: [
      `Your card was declined for ${moneyIn(amount)}, even when we tried again. Automatic payment is paused.`,
    ],
    button: cards,
    after: [
      'To resume it, add another card or turn automatic payment on again. You can also make a single payment yourself.',
    ],
  }),
  'refund-returned': ({ amount, number }) => ({
    subject: `A refund of ${moneyIn(amount)} was returned`,
    say: [
      `Your bank did not accept the ${moneyIn(amount)} that we sent you, so the money is back on your balance, with invoice ${number}.`,
    ],
    button: { label: 'See your payments', path: pages.billing },
    after: [
      'Your card may have been closed. If you want the money refunded, open a ticket and tell us where to send it.',
    ],
  }),
  'card-expiring': ({ brand, last4, on }) => ({
    subject: `Your card ending in ${last4} is about to expire`,
    say: [`Your ${cardName(brand)}card ending in ${last4} can no longer be charged from ${day(on)}.`],
    button: cards,
    after: ['Add your new card before then, so that payments continue.'],
  }),
  'card-expired': ({ brand, last4 }) => ({
    subject: `Your card ending in ${last4} has expired`,
    say: [`Your ${cardName(brand)}card ending in ${last4} can no longer be charged.`],
    button: cards,
    after: ['Add your new card, so that payments continue.'],
  }),
}
