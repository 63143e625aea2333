import { Button } from '@mantine/core'
import { useState } from 'react'
import { http } from '../api/http.ts'
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

function Stopped() {
  // The address of the page is that of the call too, as mail programs post to the link itself.
  const stop = useOnce(location.pathname, () => http(location.pathname, { method: 'POST', body: {} }))
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
  const [isConfirmed, setConfirmed] = useState(false)
  if (isConfirmed) return <Stopped />
  return (
    <GuestCard title={m.unsubscribe_title()} lead={m.unsubscribe_text()}>
      <Button fullWidth onClick={() => setConfirmed(true)}>
        {m.unsubscribe_verb()}
      </Button>
    </GuestCard>
  )
}
