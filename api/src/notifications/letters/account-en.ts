import { viewMinutes } from '@portico/contract/rules/view-minutes.ts'
import { brand, type Language, momentIn, pages } from './words.ts'

const moment = momentIn('en-GB')

/** English letters about an account and its panels. */
export const accountLetters: Pick<
  Language['letters'],
  | 'account-closed'
  | 'account-closed-by-staff'
  | 'data-export-ready'
  | 'panel-degraded'
  | 'panel-stopped'
  | 'panel-terminated'
  | 'panels-stopped'
  | 'panels-terminated'
  | 'two-factor-reset'
  | 'email-change-by-staff'
  | 'email-confirmed-by-staff'
  | 'sessions-ended'
  | 'account-blocked'
  | 'account-unblocked'
  | 'account-viewed'
  | 'announcement'
  | 'newsletter'
> = {
  announcement: ({ title, lines }) => ({
    subject: title,
    say: lines.length > 0 ? lines : [title],
    button: { label: 'See your panels', path: pages.dashboard },
    after: [`You get this message because you are a customer of ${brand}.`],
  }),
  newsletter: ({ title, lines, unsubscribe }) => ({
    subject: title,
    say: lines.length > 0 ? lines : [title],
    after: [
      `You get this message because you are a customer of ${brand}. If you want no more news by e-mail:`,
    ],
    other: { label: 'Stop news by e-mail', path: unsubscribe },
  }),
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
  'account-closed-by-staff': ({ reason, erased }) => ({
    subject: 'Our team has closed your account',
    say: [
      'Our team has closed your account. Nobody can sign in to it any more. Its API keys, cards and automatic payment have ended, and the people you shared it with no longer have access.',
      `The reason: ${reason}`,
      `Invoices, payments and accounting records are kept as long as the law requires. All your other data is erased after ${moment(erased)}.`,
    ],
    button: { label: 'Go to the sign-in page', path: pages.signIn },
    after: [
      'If you did not ask for this, contact our support before that day: until then the account can be restored.',
    ],
  }),
  'data-export-ready': ({ until, byStaff }) => ({
    subject: 'The copy of your data is ready',
    say: [
      ...(byStaff
        ? ['Our team has prepared the copy of everything we keep about you.']
        : ['The copy of everything we keep about you is ready.']),
      `You can download it in your account until ${moment(until)}. You will be asked to confirm who you are first.`,
    ],
    button: { label: 'Download it', path: pages.copy },
    after: [
      byStaff
        ? 'Nobody else can download it. If you did not ask for it, write to us.'
        : 'If you did not ask for it, someone else is signed in to your account: change your password and sign out the other devices at once.',
    ],
  }),
  'panel-degraded': ({ panel }) => ({
    subject: 'A panel needs your attention',
    say: [`The panel ${panel} has problems.`],
    button: { label: 'See your panels', path: pages.dashboard },
    after: ['You can choose in your account which messages of this kind you get.'],
  }),
  'panel-stopped': ({ panel, reason }) => ({
    subject: 'Our team has stopped one of your panels',
    say: [
      `Our team has stopped the panel ${panel}. It cannot be opened, and nothing in it runs.`,
      `The reason: ${reason}`,
    ],
    button: { label: 'Write to us', path: pages.tickets },
    after: [
      'Nothing in it was deleted. It runs again when our team lifts the stop; a payment does not do that.',
    ],
  }),
  'panel-terminated': ({ panel, reason }) => ({
    subject: 'Our team has deleted one of your panels',
    say: [
      `Our team has deleted the panel ${panel}, with everything in it. It costs nothing any more.`,
      `The reason: ${reason}`,
    ],
    button: { label: 'Write to us', path: pages.tickets },
    after: ['If you think that this is a mistake, write to us at once.'],
  }),
  'panels-stopped': ({ panels, reason }) => ({
    subject: 'Our team has stopped the panels of your account',
    say: [
      'Our team has stopped all panels of your account. They cannot be opened, nothing in them runs, and you cannot add others.',
      ...(panels.length > 0 ? [`Stopped now: ${panels.join(', ')}`] : []),
      `The reason: ${reason}`,
    ],
    button: { label: 'Write to us', path: pages.tickets },
    after: [
      'Nothing in them was deleted. They run again when our team lifts the stop; a payment does not do that.',
    ],
  }),
  'panels-terminated': ({ panels, reason }) => ({
    subject: 'Our team has deleted the panels of your account',
    say: [
      'Our team has deleted these panels, with everything in them. They cost nothing any more.',
      panels.join(', '),
      `The reason: ${reason}`,
    ],
    button: { label: 'Write to us', path: pages.tickets },
    after: ['If you think that this is a mistake, write to us at once.'],
  }),
  'two-factor-reset': ({ reason }) => ({
    subject: 'Our team has turned off your two-factor authentication',
    say: [
      'Our team has turned off two-factor authentication for your account. Every device was signed out, and signing in no longer asks for a code.',
      `The reason: ${reason}`,
    ],
    button: { label: 'Write to us', path: pages.tickets },
    after: ['If you did not ask for this, change your password now and write to us.'],
  }),
  'email-change-by-staff': ({ email, reason }) => ({
    subject: 'Our team is changing the address of your account',
    say: [
      `Our team has begun to change the address of your account to ${email}. It changes once the link that was sent there is followed.`,
      `The reason: ${reason}`,
    ],
    button: { label: 'Write to us', path: pages.tickets },
    after: [
      'If you did not ask for this, write to us at once. You can also undo the change when it has happened.',
    ],
  }),
  'email-confirmed-by-staff': ({ reason }) => ({
    subject: 'Our team has confirmed your address',
    say: [
      'Our team has confirmed the e-mail address of your account. You can sign in with your password now.',
      `The reason: ${reason}`,
    ],
    button: { label: 'Go to the sign-in page', path: pages.signIn },
    after: [
      'If you did not register, set a new password at once: the person who registered knows the present one.',
    ],
  }),
  'sessions-ended': ({ reason }) => ({
    subject: 'Our team has signed you out on every device',
    say: [
      'Our team has ended all sessions of your account: every device was signed out. Your panels run on, and your API keys still work.',
      `The reason: ${reason}`,
    ],
    button: { label: 'Go to the sign-in page', path: pages.signIn },
    after: [
      'If somebody else was signed in as you, set a new password, and look through your API keys and sign-in methods.',
    ],
  }),
  'account-blocked': ({ reason }) => ({
    subject: 'Your account is blocked',
    say: [
      'Our team has blocked your account. Nobody can sign in to it, its API keys are refused, and its panels are stopped.',
      `The reason: ${reason}`,
    ],
    after: [
      'Nothing was deleted, and the plans of your panels cost nothing meanwhile. If you think this is a mistake, contact our support.',
    ],
  }),
  'account-viewed': ({ by, reason }) => ({
    subject: 'Our team looks at your account',
    say: [
      `${by} of our team has opened your account to see it as you do, for at most ${viewMinutes} minutes. Nothing in it can be changed that way, and keys, cards and files are not shown.`,
      `The reason: ${reason}`,
    ],
    button: { label: 'See the activity of your account', path: pages.account },
    after: ['If you have a question about this, write to us.'],
  }),
  'account-unblocked': () => ({
    subject: 'Your account is no longer blocked',
    say: [
      'Our team has lifted the block of your account. You can sign in again, and your panels are starting.',
    ],
    button: { label: 'Go to the sign-in page', path: pages.signIn },
    after: [],
  }),
}
