import { Button, PasswordInput, Tabs, TextInput } from '@mantine/core'
import * as addresses from '@portico/contract/calls/addresses.ts'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { type FormEvent, useRef, useState } from 'react'
import { call } from '../../api/call.ts'
import { anErrorHasOccured, asFailure } from '../../api/failure.ts'
import { href } from '../../routes.ts'
import { next } from '../../stores/session.ts'
import { m } from '../../texts/compiled/messages.js'
import { DemoAccounts } from './demo-accounts.tsx'
import classes from './login.module.css'
import { useSignInOffer } from './sign-in-offer.ts'

type State = { kind: 'ready' } | { kind: 'busy' } | { kind: 'failed'; message: string }
type Credentials = { email: string; password: string }

/** What the portal says itself: one sentence for every refusal, so that none says which half was wrong. */
function refusal(status: number): string | undefined {
  if (status === 401 || status === 422) return m.login_refused()
  return status === 0 ? m.offline_short() : undefined
}

/** Signs in and goes on to the callback page. */
function useSignIn() {
  const navigate = useNavigate()
  const search: { next?: unknown; error?: unknown } = useSearch({ strict: false })
  const [state, setState] = useState<State>(
    search.error === anErrorHasOccured ? { kind: 'failed', message: anErrorHasOccured } : { kind: 'ready' },
  )
  /** Whether it went well. */
  const signIn = async (credentials: Credentials): Promise<boolean> => {
    setState({ kind: 'busy' })
    try {
      const answer = await call(addresses.login, credentials)
      if ('two_factor' in answer) throw new Error('The second step has no page yet.')
      const { code } = answer
      next.keep(typeof search.next === 'string' ? search.next : '/')
      await navigate({ to: href('callback'), search: { code } })
      return true
    } catch (error) {
      const { status, message } = asFailure(error)
      setState({ kind: 'failed', message: refusal(status) ?? message })
      return false
    }
  }
  return { state, signIn }
}

function Google({ label }: { label: string }) {
  return (
    <Button component="a" href={addresses.google.path} variant="default" fullWidth>
      {label}
    </Button>
  )
}

function SignInForm({
  google,
  busy,
  onSubmit,
}: {
  google: boolean
  busy: boolean
  onSubmit: (given: Credentials) => Promise<boolean>
}) {
  const field = useRef<HTMLInputElement>(null)
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const done = await onSubmit({
      email: String(form.get('email')).trim(),
      password: String(form.get('password')),
    })
    // Mostly it is the password that was mistyped: the next letters replace it.
    if (done) return
    field.current?.focus()
    field.current?.select()
  }
  return (
    // Before any script is there the form is still one: its fields then go in a body, never into the address.
    <form className={classes.stack} method="post" action={addresses.login.path} onSubmit={submit}>
      {google && (
        <>
          <Google label={m.login_google()} />
          <p className={classes.or}>{m.or()}</p>
        </>
      )}
      <TextInput
        label={m.email()}
        name="email"
        type="email"
        autoComplete="username"
        required
        withAsterisk={false}
        maxLength={254}
      />
      <PasswordInput
        ref={field}
        label={m.password()}
        name="password"
        autoComplete="current-password"
        required
        withAsterisk={false}
        maxLength={128}
        visibilityToggleButtonProps={{ 'aria-label': m.show_password(), tabIndex: 0 }}
      />
      <Button type="submit" fullWidth loading={busy}>
        {m.login_email()}
      </Button>
      <a href={href('register-signin')} style={{ alignSelf: 'center' }}>
        {m.forgot_password()}
      </a>
    </form>
  )
}

/** Sign in and create account, each with Google or with e-mail. */
export default function LoginScreen() {
  const { state, signIn } = useSignIn()
  const { google, accounts } = useSignInOffer()
  const busy = state.kind === 'busy'
  return (
    <>
      <div className={`card ${classes.card}`}>
        <h1 tabIndex={-1} className={classes.title}>
          {m.login_heading()}
        </h1>
        <p className={classes.lead}>{m.login_lead()}</p>
        <Tabs defaultValue="sign-in" keepMounted={false}>
          <Tabs.List grow className={classes.tabs ?? ''} aria-label={m.login_title()}>
            <Tabs.Tab value="sign-in">{m.login_title()}</Tabs.Tab>
            <Tabs.Tab value="create">{m.register_title()}</Tabs.Tab>
          </Tabs.List>
          <Tabs.Panel value="sign-in">
            <div className={classes.stack}>
              <div role="alert" className={classes.place}>
                {state.kind === 'failed' && <p className={classes.alert}>{state.message}</p>}
              </div>
              <SignInForm google={google} busy={busy} onSubmit={signIn} />
            </div>
          </Tabs.Panel>
          <Tabs.Panel value="create">
            <div className={classes.stack}>
              <p className="quiet">{m.register_lead()}</p>
              {google && <Google label={m.register_with_google()} />}
              <Button component="a" href={href('create-account')} fullWidth>
                {m.register_with_email()}
              </Button>
            </div>
          </Tabs.Panel>
        </Tabs>
      </div>
      {accounts.length > 0 && <DemoAccounts accounts={accounts} busy={busy} onChoose={signIn} />}
    </>
  )
}
