import { Button } from '@mantine/core'
import * as addresses from '@portico/contract/calls/addresses.ts'
import { newPassword } from '@portico/contract/calls/credentials.ts'
import { useLocation } from '@tanstack/react-router'
import { useState } from 'react'
import * as z from 'zod/mini'
import { call } from '../api/call.ts'
import { Failure } from '../api/failure.ts'
import { useSavingForm } from '../components/forms/saving-form.ts'
import { GuestCard, Refusal } from '../components/guest/card.tsx'
import classes from '../components/guest/guest.module.css'
import { LinkFault } from '../components/guest/link-fault.tsx'
import { NewPassword, retypeFault } from '../components/guest/new-password.tsx'
import { useOnce } from '../components/guest/once.ts'
import { signInAs } from '../components/guest/search.ts'
import { href } from '../routes.ts'
import { m } from '../texts/compiled/messages.js'

const schema = z.object({ password: newPassword, retype: z.string() })

type FormProps = {
  token: string
  email: string
  onDone: () => void
  /** The link has expired since the page was opened. */
  onLinkFault: (failure: Failure) => void
}

function ResetForm({ token, email, onDone, onLinkFault }: FormProps) {
  const { form, formProps, field, isSaving, refusal } = useSavingForm({
    initial: { password: '', retype: '' },
    schema,
    alsoCheck: retypeFault,
    save: async ({ password }) => {
      try {
        await call(addresses.resetPassword, { token, password })
        onDone()
      } catch (error) {
        const isLinkFault = error instanceof Failure && error.errors[0]?.code?.startsWith('link_')
        if (!isLinkFault) throw error
        onLinkFault(error)
      }
    },
  })
  return (
    <form className={classes.stack} {...formProps}>
      <Refusal message={refusal} />
      {/** Password managers save the new password under this address. */}
      <input type="email" name="email" autoComplete="username" value={email} readOnly hidden />
      <NewPassword values={form.values} field={field} about={[email]} />
      <Button type="submit" fullWidth loading={isSaving}>
        {m.reset_password_submit()}
      </Button>
    </form>
  )
}

const AnotherLink = () => (
  <Button component="a" href={href('forgot-password')} fullWidth>
    {m.reset_password_again()}
  </Button>
)

type State = { kind: 'asking' } | { kind: 'done' } | { kind: 'broken'; failure: Failure }

function Reset({ token, email }: { token: string; email: string }) {
  const [state, setState] = useState<State>({ kind: 'asking' })
  switch (state.kind) {
    case 'broken':
      return (
        <LinkFault failure={state.failure} again={() => setState({ kind: 'asking' })}>
          <AnotherLink />
        </LinkFault>
      )
    case 'done':
      return (
        <GuestCard title={m.reset_password_done()} lead={m.reset_password_done_text()}>
          <Button component="a" href={signInAs(email)} fullWidth>
            {m.login_title()}
          </Button>
        </GuestCard>
      )
    case 'asking':
      return (
        <GuestCard title={m.reset_password_title()} lead={m.reset_password_lead({ email })}>
          <ResetForm
            token={token}
            email={email}
            onDone={() => setState({ kind: 'done' })}
            onLinkFault={(failure) => setState({ kind: 'broken', failure })}
          />
        </GuestCard>
      )
  }
}

/**
 * Chooses a new password with the link of a mail; its secret is in the fragment, which browsers never send.
 */
export default function ResetPasswordScreen() {
  const token = useLocation({ select: ({ hash }) => hash })
  const link = useOnce(`reset ${token}`, () => call(addresses.checkReset, { token }))
  if (link.kind === 'busy') return <GuestCard title={m.reset_password_title()} lead={m.callback_text()} />
  if (link.kind === 'failed')
    return (
      <LinkFault failure={link.failure} again={link.again}>
        <AnotherLink />
      </LinkFault>
    )
  return <Reset key={token} token={token} email={link.value.email} />
}
