import type { Address } from '@portico/contract/calls/call.ts'
import type { ActionName, Attributes, Registry, RelationshipName, TypeName } from '@portico/contract/index.ts'
import { base } from '@portico/contract/wire.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useCallback, useRef } from 'react'
import { m } from '../texts/compiled/messages.js'
import type { ActionOf, Input, On, Output } from './actions.ts'
import { type Input as CallInput, type Output as CallOutput, call } from './call.ts'
import { asFailure, Failure } from './failure.ts'
import { http } from './http.ts'
import { type Document, type Id, type Row, toRow } from './rows.ts'

type Reference<T extends string> = { readonly type: T; readonly id: number }
type Link<X> = X extends { kind: 'to-many'; type: infer U extends string }
  ? readonly Reference<U>[]
  : X extends { type: infer U extends string }
    ? Reference<U> | null
    : never

/** What a write sends. The server refuses what the contract does not let a client choose. */
export type Values<T extends TypeName> = {
  readonly attributes?: Partial<Attributes<T>>
  readonly relationships?: { readonly [R in RelationshipName<T>]?: Link<Registry[T]['relationships'][R]> }
}

function toResource<T extends TypeName>(
  type: T,
  { attributes, relationships = {} }: Values<T>,
  id?: number | string,
) {
  const identify = ({ type, id }: Reference<string>) => ({ type, id: String(id) })
  // `Link` is one of these three once T is known; while it is open TypeScript cannot see that.
  const given = relationships as unknown as Record<string, Reference<string>[] | Reference<string> | null>
  const links = Object.entries(given).map(([name, to]) => [
    name,
    { data: Array.isArray(to) ? to.map(identify) : to && identify(to) },
  ])
  return {
    data: {
      type,
      ...(id !== undefined && { id: String(id) }),
      ...(attributes && { attributes }),
      ...(links.length > 0 && { relationships: Object.fromEntries(links) }),
    },
  }
}

// What is not told here is in the `error` of the write.
const ignored = () => undefined

type Then<O> = {
  readonly onSuccess?: (output: O) => void
  readonly onError?: (failure: Failure) => void
}

/**
 * A write, and after it everything on screen is asked again: what else a write changed is the server's to know. Answers
 * are small and conditional, so this costs less than a list of who depends on whom, which would go wrong unnoticed.
 * What follows a `mutate` follows also when the row that it was pressed in has gone by then, as that of a removed card has.
 */
function useWrite<I, O>(write: (input: I) => Promise<O>) {
  const client = useQueryClient()
  const mutation = useMutation<O, Failure, I>({
    mutationFn: write,
    onSuccess: async () => {
      await client.invalidateQueries()
    },
  })
  const { mutateAsync } = mutation
  const mutate = useCallback(
    (input: I, { onSuccess, onError = ignored }: Then<O> = {}) => {
      void mutateAsync(input).then(onSuccess, onError)
    },
    [mutateAsync],
  )
  return { ...mutation, mutate }
}

/** Creates a resource; one of those that must not be made twice wants a key. */
export async function create<T extends TypeName>(type: T, values: Values<T>, key?: string): Promise<Row<T>> {
  try {
    // The answer has the shape of the contract, as in `query.ts`.
    return toRow<T, never>(
      (await http(`${base}/${type}`, { method: 'POST', body: toResource(type, values), key })) as Document,
    )
  } catch (error) {
    if (error instanceof Failure && error.status !== 422)
      throw new Failure(error.status, error.errors, m.an_error_has_occured())
    throw error
  }
}

/** Creates a resource. A 422 tells its first error's detail, anything else the seed's sentence (section 8). */
export function useCreate<T extends TypeName>(type: T) {
  return useWrite((values: Values<T>) => create(type, values))
}

/** The same for what must not be made twice: where no answer came, the same again is the same request. */
export function useCreateOnce<T extends TypeName>(type: T) {
  const unanswered = useRef<{ written: string; key: string }>(undefined)
  return useWrite(async (values: Values<T>) => {
    const written = JSON.stringify(values)
    const known = unanswered.current
    const key = known?.written === written ? known.key : crypto.randomUUID()
    unanswered.current = { written, key }
    try {
      const made = await create(type, values, key)
      unanswered.current = undefined
      return made
    } catch (error) {
      if (asFailure(error).isAnswer) unanswered.current = undefined
      throw error
    }
  })
}

export function useUpdate<T extends TypeName>(type: T) {
  return useWrite(async ({ id, ...values }: Values<T> & { readonly id: Id<T> }): Promise<Row<T>> => {
    const body = toResource(type, values, id)
    return toRow<T, never>((await http(`${base}/${type}/${id}`, { method: 'PATCH', body })) as Document)
  })
}

export function useDelete<T extends TypeName>(type: T) {
  return useWrite(async ({ id }: { readonly id: Id<T> }): Promise<void> => {
    await http(`${base}/${type}/${id}`, { method: 'DELETE' })
  })
}

/** Does a custom action that changes something (POST). */
export async function act<T extends TypeName, X extends ActionName<T>>(
  type: T,
  name: X,
  given: On<ActionOf<T, X>> & { readonly payload: Input<ActionOf<T, X>> },
): Promise<Output<ActionOf<T, X>>> {
  const at = 'id' in given ? `/${String(given.id)}` : ''
  try {
    return (await http(`${base}/${type}${at}/-actions/${name}`, {
      method: 'POST',
      body: given.payload,
    })) as Output<ActionOf<T, X>>
  } catch (error) {
    // biome-ignore lint/suspicious/noConsole: the seed asks for each detail in the log (section 8).
    if (error instanceof Failure) for (const one of error.errors) console.error(one.detail)
    throw error
  }
}

/** The same from a screen. Those actions that only read are queries: see `action` in `query.ts`. */
export function useAction<T extends TypeName, X extends ActionName<T>>(type: T, name: X) {
  type A = ActionOf<T, X>
  return useWrite(
    (given: On<A> & { readonly payload: Input<A> }): Promise<Output<A>> => act(type, name, given),
  )
}

/** A call that is not JSON:API and changes something: `useCall(addresses.changePassword)`. */
export function useCall<A extends Address>(address: A) {
  return useWrite((input: CallInput<A>): Promise<CallOutput<A>> => call(address, input))
}
