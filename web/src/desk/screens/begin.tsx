import { Button } from '@mantine/core'
import * as addresses from '@portico/contract/calls/addresses.ts'
import { useLocation } from '@tanstack/react-router'
import { useState } from 'react'
import { call } from '../../api/call.ts'
import type { Failure } from '../../api/failure.ts'
import { GuestCard } from '../../components/guest/card.tsx'
import { LinkFault } from '../../components/guest/link-fault.tsx'
import { useOnce } from '../../components/guest/once.ts'
import { m } from '../../texts/compiled/messages.js'
import { Account } from '../begin/account.tsx'
import { Codes, SecondFactor } from '../begin/second-factor.tsx'
import { stage } from '../begin/stage.ts'
import { NotFound } from '../layout/message.tsx'
import { portal } from '../routes.ts'

/** The link can no longer be used, or the portal is set up. */
function Broken({ failure, again }: { failure: Failure; again: () => void }) {
  if (failure.code === 'setup_over') return <NotFound />
  const used = { title: m.link_used_title, text: m.desk_begin_used }
  return (
    <LinkFault failure={failure} again={again} used={used}>
      <p>{m.desk_begin_again()}</p>
      <Button component="a" fullWidth href={portal.login}>
        {m.desk_join_sign_in()}
      </Button>
    </LinkFault>
  )
}

function Begin({ token }: { token: string }) {
  const now = stage.use()
  const [failure, setFailure] = useState<Failure>()
  if (failure) return <Broken failure={failure} again={() => setFailure(undefined)} />
  if (now.kind === 'app') return <SecondFactor />
  if (now.kind === 'codes') return <Codes codes={now.codes} />
  return <Account token={token} onFault={setFailure} />
}

/** Creates the first administrator with the link that a new portal prints; its secret is in the fragment. */
export default function BeginScreen() {
  const token = useLocation({ select: ({ hash }) => hash })
  const link = useOnce(`begin ${token}`, () => call(addresses.checkSetupLink, { token }))
  if (link.kind === 'busy') return <GuestCard title={m.desk_begin_title()} lead={m.callback_text()} />
  if (link.kind === 'failed') return <Broken failure={link.failure} again={link.again} />
  return <Begin key={token} token={token} />
}
