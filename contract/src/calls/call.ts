import type { Schema } from '../jsonapi.ts'

/** A call that is not JSON:API: plain JSON out; in by the query (GET) or by a JSON body (POST). */
export type Call<I extends Schema = Schema, O extends Schema = Schema> = {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly description: string
  readonly input: I
  readonly output: O
}

export function call<I extends Schema, O extends Schema>(spec: Call<I, O>): Call<I, O> {
  return spec
}
