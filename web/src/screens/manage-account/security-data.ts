import type * as calls from '@portico/contract/calls/account/security.ts'
import type * as z from 'zod/mini'

/** The person's sign-in methods, as the server returns them. */
export type Security = z.output<(typeof calls.security)['output']>

export type Passkey = z.output<(typeof calls.passkeys)['output']>['passkeys'][number]
export type Identity = z.output<(typeof calls.identities)['output']>['identities'][number]
export type Session = z.output<(typeof calls.sessions)['output']>['sessions'][number]
export type SecurityEvent = z.output<(typeof calls.securityLog)['output']>['events'][number]
