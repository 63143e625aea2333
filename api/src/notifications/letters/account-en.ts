import { type Language, momentIn, pages } from './words.ts'

const moment = momentIn('en-GB')

/** English letters about an account and its panels. */
export const accountLetters: Pick<
  Language['letters'],
  'account-closed' | 'data-export-ready' | 'panel-degraded'
> = {
  'account-closed': ({ erased }) => ({
    subject: 'Your account is closed',
    say: [
      'Your account was closed. Nobody can sign in to it any more. Its API keys, cards and automatic payment have ended, and the people you shared it with no longer have access.',
      `Invoices, payments and accounting records are kept as long as the law requires. All your other data is erased after ${moment(erased)}.`,
    ],
    button: { label: 'Go to the sign-in page', path: pages.signIn },
    after: [
      'If this was you, there is nothing to do. If it was not, contact our support before that day: until then the account can be restored.',
    ],
  }),
  'data-export-ready': ({ until }) => ({
    subject: 'The copy of your data is ready',
    say: [
      'The copy of everything we keep about you is ready.',
      `You can download it in your account until ${moment(until)}. You will be asked to confirm who you are first.`,
    ],
    button: { label: 'Download it', path: pages.copy },
    after: [
      'If you did not ask for it, someone else is signed in to your account: change your password and sign out the other devices at once.',
    ],
  }),
  'panel-degraded': ({ panel }) => ({
    subject: 'A panel needs your attention',
    say: [`The panel ${panel} has problems.`],
    button: { label: 'See your panels', path: pages.dashboard },
    after: ['You can choose in your account which messages of this kind you get.'],
  }),
}
