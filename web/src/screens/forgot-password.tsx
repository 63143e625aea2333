import { Button, TextInput } from '@mantine/core'
import * as addresses from '@portico/contract/calls/addresses.ts'
import { email } from '@portico/contract/calls/credentials.ts'
import { linkLifetimes } from '@portico/contract/rules/link-lifetimes.ts'
import { useState } from 'react'
import * as z from 'zod/mini'
import { call } from '../api/call.ts'
import { useSavingForm } from '../components/forms/saving-form.ts'
import { GuestCard, Refusal } from '../components/guest/card.tsx'
import classes from '../components/guest/guest.module.css'
import { toward, useNext } from '../components/guest/search.ts'
import { useSignInOptions } from '../components/sign-in/sign-in-options.ts'
import { href } from '../routes.ts'
import { m } from '../texts/compiled/messages.js'

const schema = z.object({ email })

function AskForm({ onSent }: { onSent: (email: string) => void }) {
  const { formProps, field, isSaving, refusal } = useSavingForm({
    initial: { email: '' },
    schema,
    save: async (given) => {
      await call(addresses.forgotPassword, given)
      onSent(given.email)
    },
  })
  return (
    <form className={classes.stack} {...formProps}>
      <Refusal message={refusal} />
      <TextInput label={m.email()} type="email" name="email" autoComplete="username" {...field('email')} />
      <Button type="submit" fullWidth loading={isSaving}>
        {m.forgot_password_send()}
      </Button>
    </form>
  )
}

/** Requests a link to choose a new password. The answer does not reveal whether the account exists. */
export default function ForgotPasswordScreen() {
  const [sentTo, setSentTo] = useState<string>()
  const next = useNext()
  const { mail } = useSignInOptions()
  const lead =
    sentTo === undefined
      ? m.forgot_password_lead()
      : m.forgot_password_sent_text({ email: sentTo, count: linkLifetimes.resetPassword })
  return (
    <GuestCard
      title={sentTo === undefined ? m.forgot_password_title() : m.forgot_password_sent()}
      lead={<span role="status">{lead}</span>}
    >
      {!mail && <p>{m.mail_off_password()}</p>}
      {sentTo === undefined ? (
        <AskForm onSent={setSentTo} />
      ) : (
        <Button variant="default" fullWidth onClick={() => setSentTo(undefined)}>
          {m.forgot_password_other()}
        </Button>
      )}
      <a href={toward(href('login'), next)} className={classes.link}>
        {m.to_login()}
      </a>
    </GuestCard>
  )
}
