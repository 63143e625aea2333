import { Button, TextInput } from '@mantine/core'
import * as addresses from '@portico/contract/calls/addresses.ts'
import { type FormEvent, useState } from 'react'
import { call } from '../../api/call.ts'
import { inWords } from '../../api/refusal-words.ts'
import { href } from '../../routes.ts'
import { registering } from '../../stores/registering.ts'
import { m } from '../../texts/compiled/messages.js'
import { clock, useSecondsUntil } from '../../ui/timing/countdown.ts'
import { useSignInOptions } from '../sign-in/sign-in-options.ts'
import { Refusal } from './card.tsx'
import classes from './guest.module.css'

type State = { kind: 'ready' } | { kind: 'busy' } | { kind: 'sent' } | { kind: 'failed'; message: string }

/** Sends the confirmation mail again, and counts down to the next attempt. */
function useResend(againAt: number) {
  const [state, setState] = useState<State>({ kind: 'ready' })
  const [until, setUntil] = useState(againAt)
  const seconds = useSecondsUntil(until)
  const send = async (email: string) => {
    setState({ kind: 'busy' })
    try {
      const { retry_after } = await call(addresses.resendConfirmation, { email })
      const again_at = Date.now() + retry_after * 1000
      const who = registering.get()
      if (who?.email === email) registering.keep({ ...who, again_at })
      setUntil(again_at)
      setState({ kind: 'sent' })
    } catch (error) {
      setState({ kind: 'failed', message: inWords(error, m.fault_email) })
    }
  }
  return { state, seconds, send }
}

type Props = {
  /** The recipient; without one the form asks for it. */
  email?: string | undefined
  /** The earliest moment of the next attempt, in milliseconds since the epoch. */
  againAt?: number
}

/** A button to send the confirmation mail again, with its countdown. */
export function Resend({ email, againAt = 0 }: Props) {
  const { state, seconds, send } = useResend(againAt)
  // The letters of a demo reach nobody.
  const isDemo = useSignInOptions().demo_accounts !== null
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    void send(email ?? String(new FormData(event.currentTarget).get('email')).trim())
  }
  return (
    <form className={classes.stack} onSubmit={submit}>
      <Refusal message={state.kind === 'failed' ? state.message : undefined} />
      {email === undefined && (
        <TextInput
          label={m.email()}
          name="email"
          type="email"
          autoComplete="email"
          required
          withAsterisk={false}
          maxLength={254}
        />
      )}
      <Button
        type="submit"
        variant="default"
        fullWidth
        className="numbers"
        loading={state.kind === 'busy'}
        disabled={seconds > 0}
      >
        {seconds > 0 ? m.resend_in({ time: clock(seconds) }) : m.resend()}
      </Button>
      <div role="status" className={classes.place}>
        {state.kind === 'sent' && <p className="quiet">{m.resend_done()}</p>}
      </div>
      {isDemo && (
        <a href={href('outbox')} className={classes.link}>
          {m.demo_outbox()}
        </a>
      )}
    </form>
  )
}
