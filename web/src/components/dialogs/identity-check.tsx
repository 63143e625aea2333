import { Button } from '@mantine/core'
import * as addresses from '@portico/contract/calls/addresses.ts'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useEffect, useState } from 'react'
import { call } from '../../api/call.ts'
import { securityQuery } from '../../api/queries/security.ts'
import { inWords } from '../../api/refusal-words.ts'
import { next } from '../../stores/session.ts'
import { m } from '../../texts/compiled/messages.js'
import { Bone } from '../../ui/loading/bones.tsx'
import { useFocusBack } from '../../ui/modal/focus-back.ts'
import { Modal } from '../../ui/modal/modal.tsx'
import { CodeField } from '../code-field.tsx'
import { SubmitButton } from '../form-foot/submit-button.tsx'
import { PasswordField } from '../guest/password-field.tsx'
import { Pending } from '../loaded.tsx'
import { canUsePasskeys } from '../sign-in/can-use-passkeys.ts'
import { signInWithPasskey } from '../webauthn.ts'
import classes from './identity-check.module.css'

type Step = { kind: 'first' } | { kind: 'second'; challenge: string }
type Way = 'typed' | 'passkey'
type State = { step: Step; busy?: Way; refused?: { way: Way; why: string } }

/** Repeats the sign-in, in one or two steps, and renews the current session with it. */
function useConfirming(onSettle: (confirmed: boolean) => void) {
  const [state, setState] = useState<State>({ step: { kind: 'first' } })
  const { step, busy, refused } = state
  const redeem = async (code: string) => {
    await call(addresses.confirmSignIn, { code })
    onSettle(true)
  }
  const attempt = async (way: Way, refusal: () => string, work: () => Promise<void>) => {
    setState({ step, busy: way })
    try {
      await work()
    } catch (error) {
      setState({ step, refused: { way, why: inWords(error, refusal) } })
    }
  }
  return {
    step,
    busy,
    refusalOf: (way: Way) => (refused?.way === way ? refused.why : undefined),
    withPassword: (email: string, password: string) =>
      attempt('typed', m.password_refused, async () => {
        const answer = await call(addresses.login, { email, password })
        if ('code' in answer) return redeem(answer.code)
        setState({ step: { kind: 'second', challenge: answer.challenge } })
      }),
    withCode: (challenge: string, code: string) =>
      attempt('typed', m.code_refused, async () =>
        redeem((await call(addresses.loginTwoFactor, { challenge, code })).code),
      ),
    withPasskey: () => attempt('passkey', m.passkey_refused, async () => redeem(await signInWithPasskey())),
  }
}

type Confirming = ReturnType<typeof useConfirming>

/** A password manager selects the account by this e-mail field. */
function Password({ email, confirming }: { email: string; confirming: Confirming }) {
  const [password, setPassword] = useState('')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    // React events bubble through the component tree: a form around the dialog must not receive this one.
    event.stopPropagation()
    void confirming.withPassword(email, password)
  }
  return (
    <form className={classes.stack} onSubmit={submit}>
      <input type="email" name="email" autoComplete="username" value={email} readOnly hidden />
      <PasswordField
        data-autofocus
        label={m.password()}
        name="password"
        autoComplete="current-password"
        value={password}
        error={confirming.refusalOf('typed')}
        onChange={(event) => setPassword(event.currentTarget.value)}
      />
      <SubmitButton fullWidth disabled={password === ''} loading={confirming.busy === 'typed'}>
        {m.confirm()}
      </SubmitButton>
    </form>
  )
}

function SecondStep({ challenge, confirming }: { challenge: string; confirming: Confirming }) {
  const [code, setCode] = useState('')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    event.stopPropagation()
    void confirming.withCode(challenge, code)
  }
  return (
    <form className={classes.stack} onSubmit={submit}>
      <CodeField
        // It replaces the password field, which had the focus.
        autoFocus
        label={m.code()}
        description={m.code_or_recovery()}
        value={code}
        error={confirming.refusalOf('typed')}
        onChange={(event) => setCode(event.currentTarget.value)}
      />
      <SubmitButton fullWidth disabled={code.trim() === ''} loading={confirming.busy === 'typed'}>
        {m.confirm()}
      </SubmitButton>
    </form>
  )
}

/** Signing in with Google leaves the page and returns to it. */
function goToGoogle(): void {
  next.keep(location.pathname + location.search + location.hash)
  location.assign(addresses.google.path)
}

function Or({ children }: { children: ReactNode }) {
  return <p className={classes.or}>{children}</p>
}

/** The sign-in methods of this person, the usual one first. */
function Ways({ confirming }: { confirming: Confirming }) {
  const query = useQuery(securityQuery)
  const { data } = query
  if (!data)
    return (
      <Pending query={query}>
        <Bone height={100} />
      </Pending>
    )
  const { email, has_password, passkeys } = data
  const hasPasskey = passkeys > 0 && canUsePasskeys()
  return (
    <div className={classes.stack}>
      {has_password && <Password email={email} confirming={confirming} />}
      {has_password && hasPasskey && <Or>{m.or()}</Or>}
      {hasPasskey && (
        <Button
          variant={has_password ? 'default' : 'filled'}
          fullWidth
          disabled={confirming.busy !== undefined}
          onClick={confirming.withPasskey}
        >
          {m.confirm_passkey()}
        </Button>
      )}
      {!has_password && (
        <>
          {hasPasskey && <Or>{m.or()}</Or>}
          <p className="quiet">{m.confirm_google_text()}</p>
          <Button variant="default" fullWidth onClick={goToGoogle}>
            {m.confirm_google()}
          </Button>
        </>
      )}
      <div role="alert" className={classes.refusal}>
        {confirming.refusalOf('passkey')}
      </div>
    </div>
  )
}

/**
 * Asks the person to confirm their identity because the last sign-in is too old; the pending request waits.
 */
export function IdentityCheckDialog({ onSettle }: { onSettle: (confirmed: boolean) => void }) {
  useFocusBack()
  const confirming = useConfirming(onSettle)
  const { step } = confirming
  // Unmounting for any other reason settles the question too.
  useEffect(() => () => onSettle(false), [onSettle])
  return (
    <Modal
      opened
      onClose={() => onSettle(false)}
      title={m.identity_check_title()}
      size={400}
      zIndex={210}
      closeButtonProps={{ 'aria-label': m.close() }}
    >
      <p className={`quiet ${classes.lead}`}>{m.identity_check_text()}</p>
      {step.kind === 'second' ? (
        <SecondStep challenge={step.challenge} confirming={confirming} />
      ) : (
        <Ways confirming={confirming} />
      )}
    </Modal>
  )
}
