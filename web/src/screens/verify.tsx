import * as addresses from '@portico/contract/calls/addresses.ts'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { call } from '../api/call.ts'
import { GuestCard } from '../components/guest/card.tsx'
import classes from '../components/guest/guest.module.css'
import { Resend } from '../components/guest/resend.tsx'
import { toward, useNext } from '../components/guest/search.ts'
import { useGoOn } from '../components/guest/sign-in.ts'
import { href } from '../routes.ts'
import { type Registering, registering } from '../stores/registering.ts'
import { accessToken, forgetToken } from '../stores/session.ts'
import { m } from '../texts/compiled/messages.js'
import { chunk } from '../ui/chunk.ts'
import { usePoll } from '../ui/poll.ts'

/** How often it is asked whether the mail was answered, in milliseconds. */
const every = 4_000

/** Waits for the mail of a registration that was begun in this tab. */
function Registered({ who }: { who: Registering }) {
  const next = useNext()
  const goOn = useGoOn()
  usePoll(async (signal) => {
    const { code } = await call(addresses.registration, {}, signal)
    if (code === undefined) return false
    registering.forget()
    await goOn(code, toward(href('register-details'), next))
    return true
  }, every)
  return (
    <GuestCard title={m.verify_title()} lead={m.verify_lead({ email: who.email })}>
      <Resend email={who.email} againAt={who.again_at} />
      <a href={toward(href('create-account'), next)} className={classes.link}>
        {m.verify_other_address()}
      </a>
    </GuestCard>
  )
}

/** Signing out by a new page leaves nothing of the person behind in this one. */
async function leave(to: string): Promise<void> {
  await call(addresses.logout, {}).catch(() => undefined)
  forgetToken()
  location.assign(to)
}

/** Waits for the mail of somebody who is signed in and may do nothing else until then. */
function SignedIn() {
  const [email, setEmail] = useState<string>()
  const next = useNext() ?? href('dashboard')
  const navigate = useNavigate()
  usePoll(async (signal) => {
    const user = await call(addresses.currentUser, {}, signal)
    setEmail(user.email)
    if (user.email_verified_at === null) return false
    // The guard remembers who it let wait here.
    const { queryClient } = await chunk(() => import('../api/client.ts'))
    queryClient.clear()
    await navigate({ href: next, replace: true })
    return true
  }, every)
  if (email === undefined) return <GuestCard title={m.verify_title()} lead={m.callback_text()} />
  return (
    <GuestCard title={m.verify_title()} lead={m.verify_lead({ email })}>
      <Resend email={email} />
      <button type="button" className={classes.link} onClick={() => void leave(href('create-account'))}>
        {m.verify_other_address()}
      </button>
      <button type="button" className={classes.link} onClick={() => void leave(href('login'))}>
        {m.sign_out()}
      </button>
    </GuestCard>
  )
}

/** Nobody is known to wait here: whoever has lost their mail may ask for it again. */
function Unknown() {
  return (
    <GuestCard title={m.verify_title()} lead={m.verify_unknown()}>
      <Resend />
      <a href={href('login')} className={classes.link}>
        {m.to_login()}
      </a>
    </GuestCard>
  )
}

/** Waits until the e-mail is confirmed, here or elsewhere, and then goes on by itself. */
export default function VerifyScreen() {
  // As it was when the page was opened: signing in is what it ends with.
  const [signedIn] = useState(() => accessToken() !== undefined)
  const [who] = useState(registering.get)
  if (signedIn) return <SignedIn />
  return who ? <Registered who={who} /> : <Unknown />
}
