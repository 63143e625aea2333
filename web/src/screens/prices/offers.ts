import { base } from '@portico/contract/wire.ts'
import { useEffect, useState } from 'react'
import type { ActionOf, Input, Output } from '../../api/actions.ts'
import { asFailure, type Failure } from '../../api/failure.ts'
import { http } from '../../api/http.ts'
import { forgetToken } from '../../stores/session.ts'
import type { Chosen } from './choice.ts'

type Action = ActionOf<'plans', 'offers'>
export type Offers = Output<Action>

async function ask(payload: Input<Action>, signal: AbortSignal): Promise<Offers> {
  const query = new URLSearchParams({ payload: JSON.stringify(payload) })
  // The server renders this shape from the contract.
  return (await http(`${base}/plans/-actions/offers?${query}`, { signal })) as Offers
}

async function read({ own, found }: Chosen, signal: AbortSignal): Promise<Offers> {
  const payload = found === undefined ? own : { country: found, ...own }
  try {
    return await ask(payload, signal)
  } catch (error) {
    const { status, code } = asFailure(error)
    // The look-up of addresses has codes of its own, such as ZZ for a reserved one.
    if (code === 'country_unknown' && own.country === undefined) return await ask(own, signal)
    if (status !== 401) throw error
    // The session has ended, and the public prices need none.
    forgetToken()
    return await ask(payload, signal)
  }
}

type State = { readonly offers?: Offers; readonly failure?: Failure }

/** The offers by a choice. Those of the choice before stay until the next ones have come. */
export function useOffers(chosen: Chosen | undefined) {
  const [state, setState] = useState<State>({})
  const [attempt, setAttempt] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt asks again for the same.
  useEffect(() => {
    if (chosen === undefined) return
    const controller = new AbortController()
    const { signal } = controller
    read(chosen, signal).then(
      (offers) => signal.aborted || setState({ offers }),
      (error: unknown) => signal.aborted || setState({ failure: asFailure(error) }),
    )
    return () => controller.abort()
  }, [chosen, attempt])
  const retry = () => {
    setState({})
    setAttempt((count) => count + 1)
  }
  return { ...state, retry }
}
