import type { Schema } from '../jsonapi.ts'

/**
 * Method and path of a call; a path segment that begins with a colon is replaced by the input of that name.
 */
export type Address = {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  readonly path: string
}

/**
 * A call that is not JSON:API: plain JSON out; the input is the query (GET, DELETE) or a JSON body (POST,
 * PATCH).
 */
export type Call<I extends Schema = Schema, O extends Schema = Schema, A extends Address = Address> = A & {
  readonly description: string
  readonly input: I
  readonly output: O
}

export function call<I extends Schema, O extends Schema, const A extends Address>(
  address: A,
  spec: { readonly description: string; readonly input: I; readonly output: O },
): Call<I, O, A> {
  return { ...address, ...spec }
}
