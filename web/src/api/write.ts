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

/** The values of a write. The server refuses fields that a client may not set. */
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
  // `Link` is one of these three once T is known; TypeScript cannot see that while T is open.
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

// The `error` of the write keeps failures that are not shown here.
const ignored = () => undefined

type Then<O> = {
  readonly onSuccess?: (output: O) => void
  readonly onError?: (failure: Failure) => void
}

/**
 * Runs a write and then refetches everything on screen, because only the server knows what else changed.
 * Responses are small and conditional, so this costs less than a list of dependencies, which could be wrong
 * unnoticed. Callbacks of `mutate` also run when the row that triggered them is gone, such as a removed card.
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

/** Creates a resource; types with money behind them require an idempotency key. */
export async function create<T extends TypeName>(type: T, values: Values<T>, key?: string): Promise<Row<T>> {
  try {
    // The response has the shape of the contract, as in `query.ts`.
    return toRow<T, never>(
      (await http(`${base}/${type}`, { method: 'POST', body: toResource(type, values), key })) as Document,
    )
  } catch (error) {
    if (error instanceof Failure && error.status !== 422 && error.code !== 'view_read_only')
      throw new Failure(error.status, error.errors, m.an_error_has_occured(), error.retryAfter, error.trace)
    throw error
  }
}

/**
 * Creates a resource. For a 422, and for staff who see an account as its owner does, the toast shows the detail of its first
 * error, for other failures a general sentence.
 */
export function useCreate<T extends TypeName>(type: T) {
  return useWrite((values: Values<T>) => create(type, values))
}

/** Gives a write an idempotency key: the same input without an answer has the same one. */
function useKeyed<I, O>(write: (input: I, key: string) => Promise<O>) {
  const unanswered = useRef<{ written: string; key: string }>(undefined)
  return useWrite(async (input: I) => {
    const written = JSON.stringify(input)
    const known = unanswered.current
    const key = known?.written === written ? known.key : crypto.randomUUID()
    unanswered.current = { written, key }
    try {
      const made = await write(input, key)
      unanswered.current = undefined
      return made
    } catch (error) {
      if (asFailure(error).isAnswer) unanswered.current = undefined
      throw error
    }
  })
}

/** As `useCreate`, with an idempotency key: a repeated press without a response is the same request. */
export function useCreateOnce<T extends TypeName>(type: T) {
  return useKeyed((values: Values<T>, key) => create(type, values, key))
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

/** The input of an action; `headers` are those that the request needs besides the usual ones. */
type Given<A> = On<A> & { readonly payload: Input<A>; readonly headers?: Readonly<Record<string, string>> }

/** Runs a custom action that changes state (POST). */
export async function act<T extends TypeName, X extends ActionName<T>>(
  type: T,
  name: X,
  given: Given<ActionOf<T, X>>,
  key?: string,
): Promise<Output<ActionOf<T, X>>> {
  const at = 'id' in given ? `/${String(given.id)}` : ''
  try {
    return (await http(`${base}/${type}${at}/-actions/${name}`, {
      method: 'POST',
      body: given.payload,
      key,
      headers: given.headers,
    })) as Output<ActionOf<T, X>>
  } catch (error) {
    // biome-ignore lint/suspicious/noConsole: each detail is required in the console, for support.
    if (error instanceof Failure) for (const one of error.errors) console.error(one.detail)
    throw error
  }
}

/** `act` as a hook. Actions that only read are queries: see `action` in `query.ts`. */
export function useAction<T extends TypeName, X extends ActionName<T>>(type: T, name: X) {
  type A = ActionOf<T, X>
  return useWrite((given: Given<A>): Promise<Output<A>> => act(type, name, given))
}

/** As `useAction`, with an idempotency key, for actions with money behind them. */
export function useActionOnce<T extends TypeName, X extends ActionName<T>>(type: T, name: X) {
  type A = ActionOf<T, X>
  return useKeyed((given: Given<A>, key): Promise<Output<A>> => act(type, name, given, key))
}

/** A call outside JSON:API that changes state: `useCall(addresses.changePassword)`. */
export function useCall<A extends Address>(address: A) {
  return useWrite((input: CallInput<A>): Promise<CallOutput<A>> => call(address, input))
}
