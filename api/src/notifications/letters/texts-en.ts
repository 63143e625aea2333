import { linkLifetimes } from '@portico/contract/rules/link-lifetimes.ts'
import { accountLetters } from './account-en.ts'
import { billingLetters } from './billing-en.ts'
import { sayable } from './clean.ts'
import { documentLetters } from './documents/documents-en.ts'
import type { SignInMethods } from './letters.ts'
import { planLetters } from './plans/plans-en.ts'
import { staffLetters } from './staff-en.ts'
import { ticketLetters } from './tickets/tickets-en.ts'
import { brand, inviter, type Language, type Link, momentIn, pages, person, sentence } from './words.ts'

const moment = momentIn('en-GB')

const review: Link = { label: 'Review your account', path: pages.account }

const team: Link = { label: 'See who has access', path: pages.team }

const unlessYou =
  'If this was you, there is nothing to do. If it was not, change your password and sign out the other devices in your account at once.'

const list = new Intl.ListFormat('en-GB')

function otherSignInMethods({ passkeys, google, two_factor, api_keys }: SignInMethods): string[] {
  const counted = passkeys === 1 ? 'one passkey' : `${passkeys} passkeys`
  const ways = [...(passkeys > 0 ? [counted] : []), ...google.map((email) => `the Google account ${email}`)]
  return [
    ways.length > 0
      ? `You can also sign in to your account with ${list.format(ways)}. Remove anything in your account that is not yours.`
      : 'This password is the only way to sign in: your account has no passkeys and no linked accounts.',
    ...(two_factor
      ? ['Signing in with the password also asks for a code: two-factor authentication is on.']
      : []),
    ...(api_keys.length > 0
      ? [
          `API keys do not depend on the password, and still work: ${list.format(api_keys)}. Revoke any that are not yours.`,
        ]
      : []),
  ]
}

const ignore = 'If you did not ask for it, ignore this message:'

function codesLeft(left: number): string {
  if (left === 0) return 'You have no recovery codes left. Generate new ones in your account.'
  return left === 1 ? 'You have one recovery code left.' : `You have ${left} recovery codes left.`
}

export const en: Language = {
  greeting: (name) => (name === undefined ? 'Hello,' : `Hello ${name},`),
  where: ({ device: { browser, system }, ip, at }) =>
    sentence(
      browser !== null && system !== null ? `${browser} on ${system}` : (browser ?? system),
      ip === null ? null : `from ${ip}`,
      `on ${moment(at)}`,
    ),
  ifButtonFails: 'If the button does not work, open this address in your browser:',
  footer: (host, answered) =>
    answered
      ? `${brand} at ${host} sent this message. Your reply is added to the ticket.`
      : `${brand} at ${host} sent this message automatically. Replies are not read.`,
  letters: {
    ...accountLetters,
    ...billingLetters,
    ...documentLetters,
    ...planLetters,
    ...ticketLetters,
    ...staffLetters,
    'verify-email': ({ link }) => ({
      subject: `Confirm your e-mail address for ${brand}`,
      say: [
        `Someone registered with this address at ${brand}:`,
        'If it was you, confirm that the address is yours, and your account is ready to use.',
      ],
      button: { label: 'Confirm this address', path: link },
      after: [
        `The link works once, within ${linkLifetimes.verifyEmail} hours.`,
        `If it was not you, do not open the link: it would give that person access with your address. An unconfirmed account gives access to nothing and is deleted after ${linkLifetimes.unconfirmed} days.`,
        'If you opened it by mistake, choose your own password at once:',
      ],
      other: { label: 'Choose a password', path: pages.reset },
    }),
    'already-registered': ({ link, reset }) => ({
      subject: `You already have a ${brand} account`,
      say: [
        'Someone, most likely you, tried to create an account with this address. It already has one, so no second one was created.',
      ],
      button: { label: 'Sign in', path: link },
      after: ['If it was not you, ignore this message: nothing has changed.', 'If you forgot your password:'],
      other: { label: 'Choose a new password', path: reset },
    }),
    'password-reset': ({ link }) => ({
      subject: `Choose a new password for ${brand}`,
      say: ['Someone asked for a new password for your account.'],
      button: { label: 'Choose a new password', path: link },
      after: [
        `The link works once, within ${linkLifetimes.resetPassword} minutes.`,
        `${ignore} your password stays as it is.`,
      ],
    }),
    'password-changed': ({ remaining }) => ({
      subject: `Your ${brand} password was changed`,
      say: [
        'The password of your account was changed, and your other devices were signed out.',
        ...otherSignInMethods(remaining),
      ],
      button: review,
      after: [
        'If this was you, there is nothing to do. If it was not, ask for a new password on the sign-in page at once.',
      ],
    }),
    'two-factor-enabled': () => ({
      subject: 'Two-factor authentication is on',
      say: [
        'Two-factor authentication was turned on for your account.',
        'From now on, signing in also asks for a code from your authenticator app. Keep your recovery codes in a safe place.',
      ],
      button: review,
      after: [unlessYou],
    }),
    'two-factor-disabled': () => ({
      subject: 'Two-factor authentication is off',
      say: [
        'Two-factor authentication was turned off for your account.',
        'Signing in no longer asks for a code from your authenticator app.',
      ],
      button: review,
      after: [unlessYou],
    }),
    'two-factor-guessed': () => ({
      subject: 'Wrong codes at the second step of signing in',
      say: [
        'Several wrong codes were entered at the second step of signing in to your account. We will not accept any more for a while.',
        'That person had passed the first step, which usually means that they know your password.',
      ],
      button: review,
      after: ['If this was you, there is nothing to do. If it was not, change your password now.'],
    }),
    'recovery-code-used': ({ left }) => ({
      subject: 'A recovery code was used',
      say: ['A recovery code was used to sign in to your account.', codesLeft(left)],
      button: review,
      after: [unlessYou],
    }),
    'recovery-codes-renewed': () => ({
      subject: 'You have new recovery codes',
      say: ['New recovery codes were generated for your account. The old ones no longer work.'],
      button: review,
      after: [unlessYou],
    }),
    'passkey-added': ({ passkey }) => ({
      subject: 'A passkey was added to your account',
      say: [
        `The passkey “${passkey}” was added to your account.`,
        'Anyone who has it can sign in without a password.',
      ],
      button: review,
      after: [unlessYou],
    }),
    'passkey-removed': ({ passkey }) => ({
      subject: 'A passkey was removed from your account',
      say: [`The passkey “${passkey}” was removed. It can no longer be used to sign in.`],
      button: review,
      after: [unlessYou],
    }),
    'google-linked': ({ email }) => ({
      subject: `Google was linked to your ${brand} account`,
      say: [
        `The Google account ${email} was linked to your account.`,
        'Anyone signed in to it at Google can now sign in here too.',
      ],
      button: review,
      after: [unlessYou],
    }),
    'google-unlinked': ({ email }) => ({
      subject: `Google was unlinked from your ${brand} account`,
      say: [`The Google account ${email} can no longer be used to sign in.`],
      button: review,
      after: [unlessYou],
    }),
    'google-refused': ({ email }) => ({
      subject: `A sign-in to your ${brand} account was refused`,
      say: [
        `Someone tried to sign in with a Google account for ${email} that is not the one linked to your account. We did not let them in.`,
        'If it was you, sign in as usual and link the new Google account in Manage account. If not, someone else may now have your e-mail address at Google.',
      ],
      button: review,
      after: [unlessYou],
    }),
    'new-device': () => ({
      subject: `New sign-in to your ${brand} account`,
      say: ['Someone signed in to your account from a browser that we had not seen before.'],
      button: review,
      after: [unlessYou],
    }),
    'session-stolen': () => ({
      subject: 'We ended a session of your account',
      say: [
        'The key of one of your sessions was used a second time, so someone else may have had a copy of it. We ended that session at once; you may have to sign in again.',
        'If you do not know how this happened, change your password and look for software on your device that should not be there.',
      ],
      button: review,
      after: [],
    }),
    'email-change-confirm': ({ link }) => ({
      subject: `Confirm your new e-mail address for ${brand}`,
      say: ['Confirm that this address is yours. From then on you sign in with it.'],
      button: { label: 'Confirm this address', path: link },
      after: [
        `The link works once, within ${linkLifetimes.confirmEmail} hours.`,
        `${ignore} nothing will change.`,
      ],
    }),
    'email-changed': ({ email, link }) => ({
      subject: `The e-mail address of your ${brand} account was changed`,
      say: [`From now on you sign in with ${email}, and no longer with this address.`],
      button: { label: 'Undo this change', path: link },
      after: [
        `If this was you, there is nothing to do. If it was not, undo it within ${linkLifetimes.undoEmail} hours: this address is restored, every device is signed out, and passkeys, Google accounts, two-factor authentication, API keys and access for others that were added since, or in the ${linkLifetimes.beforeUndone} hours before, are removed.`,
      ],
    }),
    invitation: (letter) => ({
      subject: inviter(letter)
        ? `${inviter(letter)} gives you access to ${sayable(letter.thing ?? '') ?? 'their account'}`
        : `You are invited to share a ${brand} account`,
      say: [
        `${person(letter)} invites you to share their ${brand} account.`,
        'The invitation shows what you may do there, before you accept it.',
      ],
      button: { label: 'See the invitation', path: letter.link },
      after: [
        `The link works for ${linkLifetimes.invitation} days, for anyone who signs in with this e-mail address.`,
        'If you do not know what this is about, ignore this message: nothing will happen.',
      ],
    }),
    'invitation-accepted': (letter) => ({
      subject: 'Your invitation was accepted',
      say: [`${person(letter)} accepted your invitation and can use what you shared with them.`],
      button: team,
      after: ['You can change or end this access at any time.'],
    }),
    'access-removed': (letter) => ({
      subject: 'Your access was ended',
      say: [`${person(letter)} no longer shares their ${brand} account with you.`],
      button: { label: 'Go to your account', path: pages.dashboard },
      after: ['Your own account stays as it is.'],
    }),
    'access-left': (letter) => ({
      subject: 'Someone gave up their access',
      say: [`${person(letter)} gave up what you shared with them and no longer has access.`],
      button: team,
      after: [],
    }),
  },
}
