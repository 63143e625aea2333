import { Button, TextInput } from '@mantine/core'
import * as accountAddresses from '@portico/contract/calls/account/addresses.ts'
import * as addresses from '@portico/contract/calls/addresses.ts'
import { email } from '@portico/contract/calls/credentials.ts'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import * as z from 'zod/mini'
import { call } from '../../api/call.ts'
import { useSavingForm } from '../../components/forms/saving-form.ts'
import { GuestCard, Refusal } from '../../components/guest/card.tsx'
import classes from '../../components/guest/guest.module.css'
import { Mailbox } from '../../components/guest/mailbox.tsx'
import { Resend } from '../../components/guest/resend.tsx'
import { signInAs, toward, useNext } from '../../components/guest/search.ts'
import { home } from '../../components/sign-in/home-path.ts'
import { useGoOn } from '../../components/sign-in/sign-in.ts'
import { useSignInOptions } from '../../components/sign-in/sign-in-options.ts'
import { href } from '../../routes.ts'
import { type Registering, registering, resendAfter } from '../../stores/registering.ts'
import { accessToken, forgetToken } from '../../stores/session.ts'
import { m } from '../../texts/compiled/messages.js'
import { chunk } from '../../ui/loading/chunk.ts'
import { usePoll } from '../../ui/timing/poll.ts'

/** Milliseconds between two checks whether the address was confirmed. */
const every = 4_000

/** Without a mail server staff confirm the address, and no letter can be sent again. */
const leadOf = (mail: boolean, email: string): string =>
  mail ? m.verify_lead({ email }) : m.mail_off_verify({ email })

/** Waits for the confirmation of a registration that was started in this tab. */
function Registered({ who }: { who: Registering }) {
  const next = useNext()
  const goOn = useGoOn()
  const navigate = useNavigate()
  usePoll(async (signal) => {
    const { verified, code } = await call(addresses.registration, {}, signal)
    if (!verified) return false
    registering.forget()
    const target = toward(href('register-details'), next)
    // Confirmed in another browser, or the link's page has used the one-time code.
    if (code !== undefined) await goOn(code, target)
    else {
      const said = m.verify_signin({ email: who.email })
      await navigate({ href: signInAs(who.email, target), state: { message: said } })
    }
    return true
  }, every)
  const { mail } = useSignInOptions()
  return (
    <GuestCard title={m.verify_title()} lead={leadOf(mail, who.email)}>
      {mail && <Mailbox email={who.email} />}
      {mail && <Resend email={who.email} againAt={who.again_at} />}
      <a href={toward(href('create-account'), next)} className={classes.link}>
        {m.verify_other_address()}
      </a>
    </GuestCard>
  )
}

const addressSchema = z.object({ email })

/** Changes a mistyped address; the new one counts once its own mail is confirmed. */
function OtherAddress({ onSent, onBack }: { onSent: (email: string) => void; onBack: () => void }) {
  const { formProps, field, isSaving, refusal } = useSavingForm({
    initial: { email: '' },
    schema: addressSchema,
    save: async (given) => {
      await call(accountAddresses.changeEmail, given)
      onSent(given.email)
    },
  })
  return (
    <form className={classes.stack} {...formProps}>
      <Refusal message={refusal} />
      <TextInput label={m.email()} type="email" name="email" autoComplete="email" {...field('email')} />
      <Button type="submit" fullWidth loading={isSaving}>
        {m.resend()}
      </Button>
      <button type="button" className={classes.link} onClick={onBack}>
        {m.back()}
      </button>
    </form>
  )
}

/** A full page load after signing out leaves nothing of the person in memory. */
async function signOut(): Promise<void> {
  await call(addresses.logout, {}).catch(() => undefined)
  forgetToken()
  location.assign(href('login'))
}

/** Shows the address of a signed-in person who can do nothing until it is confirmed; continues once it is. */
function useOwnAddress(): string | undefined {
  const [email, setEmail] = useState<string>()
  const next = useNext() ?? home()
  const navigate = useNavigate()
  usePoll(async (signal) => {
    const user = await call(addresses.currentUser, {}, signal)
    setEmail(user.email)
    if (user.email_verified_at === null) return false
    // The guard remembers that it let this person wait here.
    const { queryClient } = await chunk(() => import('../../api/client.ts'))
    queryClient.clear()
    await navigate({ href: next, replace: true })
    return true
  }, every)
  return email
}

function SignedIn() {
  const own = useOwnAddress()
  const { mail } = useSignInOptions()
  const [sent, setSent] = useState<{ to: string; againAt: number }>()
  const [changing, setChanging] = useState(false)
  if (own === undefined) return <GuestCard title={m.verify_title()} lead={m.callback_text()} />
  const to = sent?.to ?? own
  if (changing)
    return (
      <GuestCard title={m.verify_title()} lead={m.verify_change({ email: own })}>
        <OtherAddress
          onBack={() => setChanging(false)}
          onSent={(email) => {
            setSent({ to: email, againAt: Date.now() + resendAfter })
            setChanging(false)
          }}
        />
      </GuestCard>
    )
  return (
    <GuestCard title={m.verify_title()} lead={leadOf(mail, to)}>
      {mail && <Resend key={to} email={to} {...(sent && { againAt: sent.againAt })} />}
      {mail && (
        <button type="button" className={classes.link} onClick={() => setChanging(true)}>
          {m.verify_other_address()}
        </button>
      )}
      <button type="button" className={classes.link} onClick={() => void signOut()}>
        {m.sign_out()}
      </button>
    </GuestCard>
  )
}

/** Without a known registration, a person who lost their mail can request it again. */
function Unknown() {
  const { mail } = useSignInOptions()
  return (
    <GuestCard title={m.verify_title()} lead={mail ? m.verify_unknown() : m.mail_off_unknown()}>
      {mail && <Resend />}
      <a href={href('login')} className={classes.link}>
        {m.to_login()}
      </a>
    </GuestCard>
  )
}

/** Waits until the e-mail is confirmed, here or in another browser, and then continues. */
export default function VerifyScreen() {
  // The registration as it was when the page opened: signing in removes it.
  const [signedIn] = useState(() => accessToken() !== undefined)
  const [who] = useState(registering.get)
  if (signedIn) return <SignedIn />
  return who ? <Registered who={who} /> : <Unknown />
}
