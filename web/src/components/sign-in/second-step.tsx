import { Button, TextInput } from '@mantine/core'
import * as addresses from '@portico/contract/calls/addresses.ts'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { call } from '../../api/call.ts'
import { asFailure } from '../../api/failure.ts'
import { inWords } from '../../api/refusal-words.ts'
import { m } from '../../texts/compiled/messages.js'
import { GuestCard, Refusal } from '../guest/card.tsx'
import classes from '../guest/guest.module.css'

export type SecondStepProps = {
  challenge: string
  onCode: (code: string) => unknown
  /** `message` is the reason to start again; without it the person chose to. */
  onBack: (message?: string) => void
}

type Kind = 'app' | 'recovery'
type State = { kind: 'ready' } | { kind: 'busy' } | { kind: 'failed'; message: string }

/** The input modes of the field. Six digits of an app also arrive by paste and autofill. */
const kinds = {
  app: {
    lead: m.code_lead,
    label: m.code_label,
    other: m.code_use_recovery,
    refused: m.code_refused,
    input: { inputMode: 'numeric', autoComplete: 'one-time-code' },
  },
  recovery: {
    lead: m.code_recovery_lead,
    label: m.code_recovery_label,
    other: m.code_use_app,
    refused: m.code_recovery_refused,
    input: { autoComplete: 'off' },
  },
} as const

/** The six digits of an app, once complete; apps show them with a space in the middle. */
function digitsOf(kind: Kind, code: string): string | undefined {
  const digits = code.replace(/[\s-]/g, '')
  return kind === 'app' && /^\d{6}$/.test(digits) ? digits : undefined
}

/** A wrong code keeps the challenge valid; other errors mean that it has expired. */
const isOver = (status: number) => status >= 400 && status < 500 && status !== 422 && status !== 429

function useSecondStep({ challenge, onCode, onBack }: SecondStepProps) {
  const [state, setState] = useState<State>({ kind: 'ready' })
  const submit = async (kind: Kind, code: string) => {
    setState({ kind: 'busy' })
    try {
      const answer = await call(addresses.loginTwoFactor, { challenge, code })
      await onCode(answer.code)
    } catch (error) {
      if (isOver(asFailure(error).status)) onBack(m.code_too_late())
      else setState({ kind: 'failed', message: inWords(error, kinds[kind].refused) })
    }
  }
  return { state, submit, clear: () => setState({ kind: 'ready' }) }
}

/** The second step of a sign-in: the code of an authenticator app, or a recovery code. */
export function SecondStep(props: SecondStepProps) {
  const { state, submit, clear } = useSecondStep(props)
  const [kind, setKind] = useState<Kind>('app')
  const [code, setCode] = useState('')
  const field = useRef<HTMLInputElement>(null)
  const { lead, label, other, input } = kinds[kind]
  // The field gets the focus with each method, and again when a code was refused.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a change of either moves the focus.
  useEffect(() => {
    field.current?.focus()
    field.current?.select()
  }, [kind, state])

  const type = (text: string) => {
    setCode(text)
    const digits = digitsOf(kind, text)
    if (digits !== undefined && digits !== digitsOf(kind, code)) void submit(kind, digits)
  }
  const turn = () => {
    setKind(kind === 'app' ? 'recovery' : 'app')
    setCode('')
    clear()
  }
  const press = (event: FormEvent) => {
    event.preventDefault()
    if (code.trim()) void submit(kind, code)
    else field.current?.focus()
  }
  return (
    <GuestCard title={m.code_title()} lead={lead()}>
      <Refusal message={state.kind === 'failed' ? state.message : undefined} />
      <form className={classes.stack} noValidate onSubmit={press}>
        <TextInput
          ref={field}
          key={kind}
          label={label()}
          name="code"
          value={code}
          maxLength={40}
          spellCheck={false}
          autoCapitalize="none"
          {...input}
          onChange={(event) => type(event.currentTarget.value)}
        />
        <Button type="submit" fullWidth loading={state.kind === 'busy'}>
          {m.code_submit()}
        </Button>
        <button type="button" className={classes.link} onClick={turn}>
          {other()}
        </button>
        <button type="button" className={classes.link} onClick={() => props.onBack()}>
          {m.back()}
        </button>
      </form>
    </GuestCard>
  )
}
