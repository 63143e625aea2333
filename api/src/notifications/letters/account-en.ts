import { type Language, momentIn, pages } from './words.ts'

const moment = momentIn('en-GB')

/** What is written about an account as a whole and what runs in it, in English. */
export const accountLetters: Pick<
  Language['letters'],
  'account-closed' | 'data-export-ready' | 'panel-degraded'
> = {
  'account-closed': ({ erased }) => ({
    subject: 'Your account is closed',
    say: [
      'Your account was closed. Nobody can sign in to it any more, its API keys, cards and automatic payments are ended, and nobody you shared it with has access.',
      `Invoices, payments and the books are kept as long as the law asks. Everything else about you is erased after ${moment(erased)}.`,
    ],
    button: { label: 'Go to the sign-in page', path: pages.signIn },
    after: [
      'If this was you, there is nothing to do. If it was not, write to our support before that day: until then the account can be brought back.',
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
      'If you did not ask for it, somebody else is signed in to your account: change your password and sign out the other devices at once.',
    ],
  }),
  'panel-degraded': ({ panel }) => ({
    subject: 'A panel needs your attention',
    say: [`The panel ${panel} is not running as it should.`],
    button: { label: 'See your panels', path: pages.dashboard },
    after: ['You choose in your account which messages of this kind you get.'],
  }),
}
