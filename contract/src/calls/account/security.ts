import * as z from 'zod/mini'
import { idParameter, line, moment, noInput } from '../../fields.ts'
import { fault } from '../../refusals/fields.ts'
import { call } from '../call.ts'
import { email, newPassword, password, secondFactorCode, webAuthn } from '../credentials.ts'
import * as addresses from './addresses.ts'

// Credentials of the signed-in person. Each call that changes them answers 403 `recent_sign_in_required` when
// the last sign-in is older than ten minutes; `confirmSignIn` renews it.

const status = z.object({ status: z.literal(true) })

/** The client of a request according to its user agent: `Firefox`, `Windows`. */
const device = z.object({ browser: z.nullable(z.string()), system: z.nullable(z.string()) })

export const security = call(addresses.security, {
  description: 'The sign-in methods of the person.',
  input: z.object({}),
  output: z.object({
    email: z.string(),
    /** The requested address that is not confirmed yet. */
    pending_email: z.nullable(z.string()),
    has_password: z.boolean(),
    two_factor: z.object({ enabled: z.boolean(), recovery_codes_left: z.int() }),
    passkeys: z.int(),
    /** The moment at which the last sign-in stops counting as recent. */
    recent_until: moment,
  }),
})

/** Events of sign-in and of the account; the browser words them. */
export const securityEventKinds = [
  'signed-in',
  'sign-in-failed',
  'sign-in-blocked',
  'signed-out',
  'session-ended',
  'refresh-reuse',
  'registered',
  'email-verified',
  'email-change-requested',
  'email-changed',
  'email-change-undone',
  'password-changed',
  'password-set',
  'password-reset-requested',
  'password-reset',
  'two-factor-enabled',
  'two-factor-disabled',
  'two-factor-failed',
  'recovery-code-used',
  'recovery-codes-renewed',
  'passkey-added',
  'passkey-renamed',
  'passkey-removed',
  'google-linked',
  'google-unlinked',
  'google-refused',
  'account-taken-over',
  'account-closed',
  'api-key-created',
  'api-key-changed',
  'api-key-revoked',
  'api-key-refused',
  'staff-access-granted',
  'staff-access-ended',
  'staff-connected',
  'staff-view-granted',
  'staff-view-ended',
  'staff-viewed',
  'staff-added',
  'staff-disabled',
  'workspace-added',
  'workspace-renamed',
  'workspace-deleted',
  'panel-added',
  'panel-renamed',
  'panel-moved',
  'panel-plan-asked',
  'panel-plan-changed',
  'panel-plan-refused',
  'panel-suspended',
  'panel-resumed',
  'panel-deleted',
  'panel-stopped',
  'server-started',
  'server-stopped',
  'server-restarted',
  'account-blocked',
  'account-unblocked',
  'invitation-sent',
  'invitation-resent',
  'invitation-removed',
  'invitation-accepted',
  'permission-changed',
  'guest-removed',
  'guest-left',
] as const

/** The fields that an act changed, before and after: a name, a place, or the permission fields of a guest. */
const actDetails = z.object({
  from: z.optional(z.string()),
  to: z.optional(z.string()),
  permissions: z.optional(z.record(z.string(), z.tuple([z.nullable(z.string()), z.nullable(z.string())]))),
  /** The list of shared workspaces, panels or domains changed. */
  listed: z.optional(z.boolean()),
  /** Why staff did it. */
  reason: z.optional(z.string()),
})
export type ActDetails = z.output<typeof actDetails>

export const securityLog = call(addresses.securityLog, {
  description:
    'The sign-in events of the person, and the changes that they, their guests and their API keys made in the account, newest first; `before` continues after an id.',
  input: z.object({ before: z.optional(idParameter) }),
  output: z.object({
    events: z.array(
      z.object({
        id: z.int(),
        kind: z.enum(securityEventKinds),
        at: moment,
        ip: z.nullable(z.string()),
        device,
        /** The object of the event: the name of a passkey, an address, a panel. */
        about: z.nullable(z.string()),
        /** The person who did it, when it may be someone other than the owner. */
        actor: z.nullable(z.object({ kind: z.enum(['owner', 'guest', 'key']), name: z.string() })),
        details: z.nullable(actDetails),
      }),
    ),
    more: z.boolean(),
  }),
})

export const changePassword = call(addresses.changePassword, {
  description:
    'Changes the password and ends all other sessions; setting the first one needs no current one.',
  input: z.strictObject({ current_password: z.optional(password), password: newPassword }),
  output: status,
})

export const changeEmail = call(addresses.changeEmail, {
  description: 'Requests a new e-mail address; it applies once the link that is sent there is followed.',
  input: z.strictObject({ email }),
  output: status,
})

export const twoFactorSetup = call(addresses.twoFactorSetup, {
  description: 'A new secret for an authenticator app; it applies once a code of it was sent to `enable`.',
  input: noInput,
  output: z.object({ secret: z.string(), otpauth_url: z.string() }),
})

const codes = z.object({ recovery_codes: z.array(z.string()) })

export const twoFactorEnable = call(addresses.twoFactorEnable, {
  description: 'Turns two-factor authentication on, and returns the recovery codes, only now.',
  input: z.strictObject({ code: secondFactorCode }),
  output: codes,
})

export const twoFactorDisable = call(addresses.twoFactorDisable, {
  description: 'Turns two-factor authentication off, with a code of the app or a recovery code.',
  input: z.strictObject({ code: secondFactorCode }),
  output: z.object({ two_fa_enabled: z.literal(0) }),
})

export const recoveryCodes = call(addresses.recoveryCodes, {
  description: 'Creates new recovery codes and returns them, only now; the old ones become invalid.',
  input: z.strictObject({ code: secondFactorCode }),
  output: codes,
})

export const sessions = call(addresses.sessions, {
  description: 'The signed-in browsers and programs, this one first.',
  input: z.object({}),
  output: z.object({
    sessions: z.array(
      z.object({
        id: z.string(),
        current: z.boolean(),
        device,
        ip: z.nullable(z.string()),
        created_at: moment,
        last_seen_at: moment,
        expires_at: moment,
      }),
    ),
  }),
})

export const endSession = call(addresses.endSession, {
  description: 'Ends one session, at once.',
  input: z.object({ id: z.uuid() }),
  output: status,
})

export const endOtherSessions = call(addresses.endOtherSessions, {
  description: 'Ends every session but this one, at once.',
  input: z.object({}),
  output: z.object({ ended: z.int() }),
})

const passkeyName = line(60, { required: fault('name_required') })
const passkey = z.object({
  id: z.int(),
  name: z.string(),
  /** Whether a service syncs it to other devices. */
  synced: z.boolean(),
  created_at: moment,
  last_used_at: z.nullable(moment),
})

export const passkeys = call(addresses.passkeys, {
  description: 'The passkeys of the person.',
  input: z.object({}),
  output: z.object({ passkeys: z.array(passkey) }),
})

export const newPasskeyOptions = call(addresses.newPasskeyOptions, {
  description: 'The options for `navigator.credentials.create`; valid for five minutes and this session.',
  input: noInput,
  output: z.object({ options: webAuthn }),
})

export const addPasskey = call(addresses.addPasskey, {
  description: 'Adds the passkey that the browser made.',
  input: z.strictObject({ name: passkeyName, response: webAuthn }),
  output: passkey,
})

export const renamePasskey = call(addresses.renamePasskey, {
  description: 'Renames a passkey.',
  input: z.strictObject({ id: idParameter, name: passkeyName }),
  output: passkey,
})

export const removePasskey = call(addresses.removePasskey, {
  description: 'Removes a passkey; 409 when no other way to sign in would remain.',
  input: z.object({ id: idParameter }),
  output: status,
})

export const identities = call(addresses.identities, {
  description: 'The external accounts that the person can sign in with.',
  input: z.object({}),
  output: z.object({
    identities: z.array(
      z.object({ id: z.int(), provider: z.literal('google'), email: z.string(), created_at: moment }),
    ),
  }),
})

export const linkGoogle = call(addresses.linkGoogle, {
  description:
    'Starts linking a Google account; the browser is to go to `url`. `/auth/google/callback` completes it, with the same bearer token.',
  input: noInput,
  output: z.object({ url: z.string() }),
})

export const unlinkIdentity = call(addresses.unlinkIdentity, {
  description: 'Removes a linked account; 409 when no other way to sign in would remain.',
  input: z.object({ id: idParameter }),
  output: status,
})
