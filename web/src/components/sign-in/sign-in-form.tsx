import { Button, TextInput } from '@mantine/core'
import { type FormEvent, useRef } from 'react'
import { href } from '../../routes.ts'
import { m } from '../../texts/compiled/messages.js'
import { useRunning } from '../../ui/loading/running.ts'
import classes from '../guest/guest.module.css'
import { PasswordField } from '../guest/password-field.tsx'
import { toward, useNext } from '../guest/search.ts'
import type { Credentials } from './sign-in.ts'

type Props = {
  busy: boolean
  email?: string | undefined
  onSubmit: (given: Credentials) => Promise<boolean>
}

/** E-mail and password. */
export function SignInForm({ busy, email, onSubmit }: Props) {
  const field = useRef<HTMLInputElement>(null)
  const next = useNext()
  const running = useRunning()
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const done = await onSubmit({
      email: String(form.get('email')).trim(),
      password: String(form.get('password')),
    })
    // Selects the password, which is the usual mistake, so that typing replaces it.
    if (done) return
    field.current?.focus()
    field.current?.select()
  }
  return (
    <form className={classes.stack} onSubmit={submit}>
      <TextInput
        label={m.email()}
        name="email"
        type="email"
        autoComplete="username"
        defaultValue={email}
        required
        withAsterisk={false}
        maxLength={254}
      />
      <PasswordField
        ref={field}
        label={m.password()}
        name="password"
        autoComplete="current-password"
        // With the e-mail filled in, the password is next.
        autoFocus={email !== undefined}
        required
        withAsterisk={false}
      />
      {/* Without a submit button the browser cannot submit the form before the app runs. */}
      <Button type={running ? 'submit' : 'button'} aria-disabled={!running} fullWidth loading={busy}>
        {m.login_email()}
      </Button>
      <a href={toward(href('forgot-password'), next)} className={classes.link}>
        {m.forgot_password()}
      </a>
    </form>
  )
}
