import { Button } from '@mantine/core'
import * as addresses from '@portico/contract/calls/addresses.ts'
import { useNavigate, useParams } from '@tanstack/react-router'
import { call } from '../../api/call.ts'
import { GuestCard } from '../../components/guest/card.tsx'
import { LinkFault } from '../../components/guest/link-fault.tsx'
import { useOnce } from '../../components/guest/once.ts'
import { Resend } from '../../components/guest/resend.tsx'
import { signInAs } from '../../components/guest/search.ts'
import { home } from '../../components/sign-in/home-path.ts'
import { useGoOn } from '../../components/sign-in/sign-in.ts'
import { href } from '../../routes.ts'
import { registering } from '../../stores/registering.ts'
import { accessToken } from '../../stores/session.ts'
import { m } from '../../texts/compiled/messages.js'

/** Continues into the portal: with the session or the registration in this browser, or by signing in. */
function useCarryOn(email: string) {
  const navigate = useNavigate()
  const goOn = useGoOn()
  return async () => {
    if (accessToken() !== undefined) return navigate({ to: home() })
    // Another page that waits for the confirmation may have used the one-time code.
    const { code } = await call(addresses.registration, {}).catch(() => ({ code: undefined }))
    if (code === undefined) return navigate({ href: signInAs(email) })
    registering.forget()
    return goOn(code, href('register-details'))
  }
}

function Confirmed({ email }: { email: string }) {
  const carryOn = useCarryOn(email)
  return (
    <GuestCard title={m.verify_email_done()} lead={m.verify_email_done_text({ email })}>
      <Button fullWidth onClick={() => void carryOn()}>
        {m.go_on()}
      </Button>
    </GuestCard>
  )
}

const confirmedBefore = { title: m.verify_email_used, text: m.verify_email_used_text }

/** Follows the link of the confirmation mail and shows the result. */
export default function VerifyEmailScreen() {
  const { id = '', hash = '' } = useParams({ strict: false })
  const { pathname, search } = location
  const link = useOnce(pathname + search, () =>
    // The link's own query parameters are part of its signature, so all of them are sent.
    call(addresses.verifyEmail, { ...Object.fromEntries(new URLSearchParams(search)), id, hash }),
  )
  if (link.kind === 'busy') return <GuestCard title={m.verify_email_title()} lead={m.callback_text()} />
  if (link.kind === 'done') return <Confirmed email={link.value.email} />
  // The address is confirmed in either case, for this account or for another.
  const isSettled = link.failure.code === 'link_used' || link.failure.code === 'email_taken'
  return (
    <LinkFault failure={link.failure} again={link.again} used={confirmedBefore}>
      {isSettled ? (
        <Button component="a" href={href('login')} fullWidth>
          {m.login_title()}
        </Button>
      ) : (
        <Resend email={registering.get()?.email} />
      )}
    </LinkFault>
  )
}
