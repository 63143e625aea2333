import type { Call } from '@portico/contract/calls/call.ts'
import type { Schema } from '@portico/contract/jsonapi.ts'
import type * as z from 'zod/mini'
import { http } from './http.ts'

/** Makes a call that is not JSON:API, typed from the contract. */
export async function call<I extends Schema, O extends Schema>(
  spec: Call<I, O>,
  input: z.input<I>,
  signal?: AbortSignal,
): Promise<z.output<O>> {
  // The input of a GET call is a flat record of strings; the contract's schema of it says so.
  const query = spec.method === 'GET' ? new URLSearchParams(input as Record<string, string>).toString() : ''
  const path = query === '' ? spec.path : `${spec.path}?${query}`
  const answer = await http(path, { method: spec.method, signal, ...(spec.method === 'POST' && { body: input }) })
  // The server renders its answers from the same contract, and its tests check them; to check again would cost time.
  return answer as z.output<O>
}
