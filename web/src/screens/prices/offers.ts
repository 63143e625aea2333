import { base } from '@portico/contract/wire.ts'
import { useEffect, useState } from 'react'
import type { ActionOf, Input, Output } from '../../api/actions.ts'
import { asFailure, type Failure } from '../../api/failure.ts'
import { http } from '../../api/http.ts'
import { forgetToken } from '../../stores/session.ts'
import type { Choice, Chosen } from './choice.ts'

type Action = ActionOf<'plans', 'offers'>
export type Offers = Output<Action>

/** Whether the server does not know the currency or the country. */
export const isRefused = ({ status }: Failure): boolean => status === 400 || status === 422

async function ask(payload: Input<Action>, signal: AbortSignal): Promise<Offers> {
  const query = new URLSearchParams({ payload: JSON.stringify(payload) })
  // The server renders this shape from the contract.
  return (await http(`${base}/plans/-actions/offers?${query}`, { signal })) as Offers
}

/** Offers, and the country whose VAT was asked for. */
type Answer = { readonly offers: Offers; readonly country: string | undefined }

async function read({ own, found }: Chosen, signal: AbortSignal): Promise<Answer> {
  const payload = found === undefined ? own : { country: found, ...own }
  const answer = async (to: Choice) => ({ offers: await ask(to, signal), country: to.country })
  try {
    return await answer(payload)
  } catch (error) {
    const failure = asFailure(error)
    // The look-up of addresses has codes of its own, such as ZZ for a reserved one.
    if (isRefused(failure) && payload.country !== own.country) return await answer(own)
    if (failure.status !== 401) throw error
    // The session has ended, and the public prices need none.
    forgetToken()
    return await answer(payload)
  }
}

type State = Partial<Answer> & { readonly failure?: Failure }

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
      (answer) => signal.aborted || setState(answer),
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
