import { Button } from '@mantine/core'
import * as addresses from '@portico/contract/calls/addresses.ts'
import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { call } from '../api/call.ts'
import { GuestCard } from '../components/guest/card.tsx'
import { LinkFault } from '../components/guest/link-fault.tsx'
import { useOnce } from '../components/guest/once.ts'
import { href } from '../routes.ts'
import { m } from '../texts/compiled/messages.js'

const ToAccount = () => (
  <Button component="a" href={`${href('manage-account')}#notifications`} variant="default" fullWidth>
    {m.unsubscribe_account()}
  </Button>
)

function Stopped({ token }: { token: string }) {
  const stop = useOnce(`unsubscribe ${token}`, () => call(addresses.unsubscribe, { token }))
  if (stop.kind === 'busy') return <GuestCard title={m.unsubscribe_title()} lead={m.callback_text()} />
  if (stop.kind === 'failed')
    return (
      <LinkFault failure={stop.failure} again={stop.again}>
        <ToAccount />
      </LinkFault>
    )
  return (
    <GuestCard title={m.unsubscribe_done()} lead={m.unsubscribe_done_text()}>
      <ToAccount />
    </GuestCard>
  )
}

/** Turns off letters with news by the link in one of them. A scanner of links opens the page, so a person confirms. */
export default function UnsubscribeScreen() {
  const { token = '' } = useParams({ strict: false })
  const [isConfirmed, setConfirmed] = useState(false)
  if (isConfirmed) return <Stopped token={token} />
  return (
    <GuestCard title={m.unsubscribe_title()} lead={m.unsubscribe_text()}>
      <Button fullWidth onClick={() => setConfirmed(true)}>
        {m.unsubscribe_verb()}
      </Button>
    </GuestCard>
  )
}
