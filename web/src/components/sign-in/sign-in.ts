import * as addresses from '@portico/contract/calls/addresses.ts'
import { useNavigate } from '@tanstack/react-router'
import { type ComponentType, useState } from 'react'
import { call } from '../../api/call.ts'
import { inWords } from '../../api/refusal-words.ts'
import { href } from '../../routes.ts'
import { next } from '../../stores/session.ts'
import { m } from '../../texts/compiled/messages.js'
import { chunk } from '../../ui/loading/chunk.ts'
import { useNext } from '../guest/search.ts'
import type { SecondStepProps } from './second-step.tsx'

export type Credentials = { email: string; password: string }

type State =
  | { kind: 'ready' }
  | { kind: 'busy'; by: 'e-mail' | 'passkey' }
  | { kind: 'failed'; message: string }
  /** The second step comes with its loaded component, so that nothing is empty meanwhile. */
  | { kind: 'second-step'; challenge: string; part: ComponentType<SecondStepProps> }

const ready: State = { kind: 'ready' }

/**
 * Continues with the code of a sign-in to the callback page, which creates the session and leads to `target`.
 */
export function useGoOn(): (code: string, target?: string) => Promise<void> {
  const navigate = useNavigate()
  return async (code, target) => {
    if (target !== undefined) next.keep(target)
    await navigate({ to: href('callback'), search: { code } })
  }
}

/** Signs in by e-mail or passkey, with the second step where it is required. */
export function useSignIn() {
  const target = useNext() ?? '/'
  const goOn = useGoOn()
  const [state, setState] = useState<State>(ready)
  const fail = (message: string) => setState({ kind: 'failed', message })
  const arrive = (code: string) => goOn(code, target)

  /** Returns whether it succeeded. */
  const signIn = async (credentials: Credentials): Promise<boolean> => {
    setState({ kind: 'busy', by: 'e-mail' })
    try {
      const answer = await call(addresses.login, credentials)
      if ('code' in answer) await arrive(answer.code)
      else {
        const { SecondStep } = await chunk(() => import('./second-step.tsx'))
        setState({ kind: 'second-step', challenge: answer.challenge, part: SecondStep })
      }
      return true
    } catch (error) {
      fail(inWords(error, m.login_refused))
      return false
    }
  }

  const withPasskey = async (): Promise<void> => {
    setState({ kind: 'busy', by: 'passkey' })
    try {
      const { askForPasskey, passkeyInWords } = await chunk(() => import('./passkey.ts'))
      const answer = await askForPasskey().catch(passkeyInWords)
      if (typeof answer === 'string') fail(answer)
      else await arrive(answer.code)
    } catch (error) {
      fail(inWords(error, m.passkey_refused))
    }
  }

  /** Returns to the first step; `message` is the fault of the second. */
  const startAgain = (message?: string) => (message === undefined ? setState(ready) : fail(message))

  return { state, signIn, withPasskey, arrive, startAgain }
}
