import type * as account from '@portico/contract/calls/account/account.ts'
import type * as security from '@portico/contract/calls/account/security.ts'
import type * as auth from '@portico/contract/calls/auth.ts'
import type { Address, Call } from '@portico/contract/calls/call.ts'
import type * as demo from '@portico/contract/calls/demo.ts'
import type * as firstAdmin from '@portico/contract/calls/first-admin.ts'
import type * as outbox from '@portico/contract/calls/outbox.ts'
import type * as registration from '@portico/contract/calls/registration.ts'
import type * as sandbox from '@portico/contract/calls/sandbox.ts'
import type * as staffInvitation from '@portico/contract/calls/staff-invitation.ts'
import type * as user from '@portico/contract/calls/user.ts'
import type * as z from 'zod/mini'
import { http } from './http.ts'

type Module = typeof account &
  typeof auth &
  typeof demo &
  typeof firstAdmin &
  typeof outbox &
  typeof registration &
  typeof sandbox &
  typeof security &
  typeof staffInvitation &
  typeof user
type Declared = Extract<Module[keyof Module], Call>
/** The declared call with the method and path of an address. */
type Of<A extends Address> = Extract<Declared, A>
export type Input<A extends Address> = Of<A> extends Call<infer I, infer _> ? z.input<I> : never
export type Output<A extends Address> = Of<A> extends Call<infer _, infer O> ? z.output<O> : never

/** Makes a call that is not JSON:API, typed from the contract: `call(addresses.login, { email, password })`. */
export async function call<A extends Address>(
  { method, path }: A,
  input: Input<A>,
  signal?: AbortSignal,
): Promise<Output<A>> {
  // The schemas of the contract declare every input as a flat record.
  const rest: Record<string, unknown> = { ...(input as Record<string, unknown>) }
  const place = path.replace(/:(\w+)/g, (_, name: string) => {
    const value = String(rest[name])
    delete rest[name]
    return encodeURIComponent(value)
  })
  const inBody = method === 'POST' || method === 'PATCH'
  // The same flat record: query values are text.
  const query = inBody ? '' : new URLSearchParams(rest as Record<string, string>).toString()
  const address = query === '' ? place : `${place}?${query}`
  const answer = await http(address, { method, signal, ...(inBody && { body: rest }) })
  // The server renders its responses from the same contract and its tests check them; parsing them again
  // would cost time.
  return answer as Output<A>
}
