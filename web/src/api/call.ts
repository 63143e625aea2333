import { addresses } from '@portico/contract/calls/addresses.ts'
import type * as auth from '@portico/contract/calls/auth.ts'
import type { Call } from '@portico/contract/calls/call.ts'
import type * as user from '@portico/contract/calls/user.ts'
import type * as z from 'zod/mini'
import { http } from './http.ts'

type Declared = typeof auth & typeof user
type Name = keyof typeof addresses & keyof Declared
type Input<N extends Name> = Declared[N] extends Call<infer I, infer _> ? z.input<I> : never
type Output<N extends Name> = Declared[N] extends Call<infer _, infer O> ? z.output<O> : never

/** Makes a call that is not JSON:API, typed from the contract. */
export async function call<N extends Name>(
  name: N,
  input: Input<N>,
  signal?: AbortSignal,
): Promise<Output<N>> {
  const { method, path } = addresses[name]
  // The input of a GET call is a flat record of strings; the contract's schema of it says so.
  const query = method === 'GET' ? new URLSearchParams(input as Record<string, string>).toString() : ''
  const address = query === '' ? path : `${path}?${query}`
  const answer = await http(address, { method, signal, ...(method === 'POST' && { body: input }) })
  // The server renders its answers from the same contract, and its tests check them; to check again would cost time.
  return answer as Output<N>
}
