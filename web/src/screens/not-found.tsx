import { CatchBoundary } from '@tanstack/react-router'
import { Suspense } from 'react'
import { Message } from '../components/message.tsx'
import { href } from '../routes.ts'
import { accessToken } from '../stores/session.ts'
import { m } from '../texts/compiled/messages.js'
import { lazily } from '../ui/loading/lazily.ts'
import { useTitle } from '../ui/title.ts'

const Framed = lazily(async () => (await import('../components/layout/framed.tsx')).Framed)

function Nothing({ lone = false }: { lone?: boolean }) {
  useTitle(`${m.not_found_title()} · ${m.brand()}`)
  return (
    <Message lone={lone} title={m.not_found_title()} text={m.not_found_text()}>
      <a href={href('dashboard')}>{m.to_dashboard()}</a>
    </Message>
  )
}

/** No page of the portal has this address. A signed-in person keeps the top bar. */
export function NotFoundScreen() {
  if (accessToken() === undefined) return <Nothing lone />
  return (
    <CatchBoundary getResetKey={() => location.pathname} errorComponent={() => <Nothing lone />}>
      <Suspense>
        <Framed>
          <Nothing />
        </Framed>
      </Suspense>
    </CatchBoundary>
  )
}
