import { Button } from '@mantine/core'
import * as addresses from '@portico/contract/calls/addresses.ts'
import { useLocation } from '@tanstack/react-router'
import { useState } from 'react'
import { call } from '../api/call.ts'
import { GuestCard } from '../components/guest/card.tsx'
import { LinkFault } from '../components/guest/link-fault.tsx'
import { useOnce } from '../components/guest/once.ts'
import { signInAs } from '../components/guest/search.ts'
import { href } from '../routes.ts'
import { accessToken } from '../stores/session.ts'
import { m } from '../texts/compiled/messages.js'

const Back = () => (
  <Button component="a" href={href('dashboard')} variant="default" fullWidth>
    {m.to_dashboard()}
  </Button>
)

function Confirm({ token }: { token: string }) {
  const change = useOnce(`confirm ${token}`, () => call(addresses.confirmEmail, { token }))
  if (change.kind === 'busy') return <GuestCard title={m.email_change_title()} lead={m.callback_text()} />
  if (change.kind === 'failed')
    return (
      <LinkFault failure={change.failure} again={change.again}>
        <Back />
      </LinkFault>
    )
  const { email } = change.value
  return (
    <GuestCard title={m.email_changed()} lead={m.email_changed_text({ email })}>
      <Button component="a" href={accessToken() ? href('dashboard') : signInAs(email)} fullWidth>
        {m.go_on()}
      </Button>
    </GuestCard>
  )
}

function Undone({ token }: { token: string }) {
  const undo = useOnce(`undo ${token}`, () => call(addresses.undoEmail, { token }))
  if (undo.kind === 'busy') return <GuestCard title={m.email_undo_title()} lead={m.callback_text()} />
  if (undo.kind === 'failed')
    return (
      <LinkFault failure={undo.failure} again={undo.again}>
        <Back />
      </LinkFault>
    )
  return (
    <GuestCard title={m.email_undone()} lead={m.email_undone_text({ email: undo.value.email })}>
      <Button component="a" href={href('forgot-password')} fullWidth>
        {m.reset_password_title()}
      </Button>
      <Button component="a" href={signInAs(undo.value.email)} variant="default" fullWidth>
        {m.login_title()}
      </Button>
    </GuestCard>
  )
}

/** Undoing ends every session, so a person must confirm it; opening the page is not enough. */
function Undo({ token }: { token: string }) {
  const [sure, setSure] = useState(false)
  if (sure) return <Undone token={token} />
  return (
    <GuestCard title={m.email_undo_title()} lead={m.email_undo_text()}>
      <Button fullWidth onClick={() => setSure(true)}>
        {m.email_undo()}
      </Button>
      <Back />
    </GuestCard>
  )
}

/** The target of the links in the two mails about a new e-mail address; the secrets are in the fragment. */
export default function EmailChangeScreen() {
  const given = new URLSearchParams(useLocation({ select: ({ hash }) => hash }))
  const undo = given.get('undo')
  if (undo !== null) return <Undo key={undo} token={undo} />
  const confirm = given.get('confirm') ?? ''
  return <Confirm key={confirm} token={confirm} />
}
