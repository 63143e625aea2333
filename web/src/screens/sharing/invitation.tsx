import { Button } from '@mantine/core'
import { QueryClientProvider, useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { type ReactNode, useEffect, useState } from 'react'
import { queryClient } from '../../api/client.ts'
import { asFailure } from '../../api/failure.ts'
import { fullName, userQuery } from '../../api/queries/user.ts'
import { action } from '../../api/query.ts'
import { inWords } from '../../api/refusal-words.ts'
import { useAction } from '../../api/write.ts'
import { NoticeDialog } from '../../components/dialogs/notice.tsx'
import { GuestCard } from '../../components/guest/card.tsx'
import { LinkFault } from '../../components/guest/link-fault.tsx'
import { signInAs, toward } from '../../components/guest/search.ts'
import { MayList } from '../../components/permissions/may-list.tsx'
import { previewInWords } from '../../components/permissions/permission-sentences.ts'
import { useSignInOptions } from '../../components/sign-in/sign-in-options.ts'
import { href } from '../../routes.ts'
import { language } from '../../stores/language.ts'
import { accessToken, forgetToken, inviteToken } from '../../stores/session.ts'
import { m } from '../../texts/compiled/messages.js'
import { dayInWords } from '../../ui/days.ts'

const previewQuery = (token: string) => action('share-invitations', 'preview', { payload: { token } })

/** The outcome of accepting, shown in a dialog. */
type Outcome = { kind: 'accepted' } | { kind: 'mismatch'; email: string } | { kind: 'failed'; text: string }

function useAccepting(token: string, onStranger: () => void) {
  const accept = useAction('share-invitations', 'acceptInvitation')
  const [outcome, setOutcome] = useState<Outcome>()
  const run = () =>
    accept.mutate(
      { payload: { token } },
      {
        onSuccess: (answer) => {
          inviteToken.remove()
          const { invited_email: email } = answer.share_invitation
          setOutcome(answer.status ? { kind: 'accepted' } : { kind: 'mismatch', email })
        },
        onError: (failure) => {
          // The session has expired: the invitation is kept until the person has signed in again.
          if (failure.status === 401) return onStranger()
          inviteToken.remove()
          setOutcome({ kind: 'failed', text: inWords(failure) })
        },
      },
    )
  return { run, isRunning: accept.isPending, outcome, dismiss: () => setOutcome(undefined) }
}

function Told({ outcome, onClose }: { outcome: Outcome; onClose: () => void }) {
  switch (outcome.kind) {
    case 'accepted':
      return (
        <NoticeDialog title={m.success()} text={m.invitation_accepted()} verb={m.go_on()} onClose={onClose} />
      )
    case 'mismatch':
      return (
        <NoticeDialog
          title={m.invitation_mismatch_title()}
          text={m.invitation_mismatch({ email: outcome.email })}
          onClose={onClose}
        />
      )
    case 'failed':
      return <NoticeDialog title={m.error_title()} text={outcome.text} onClose={onClose} />
  }
}

/** Signs in as the invited person and returns here. */
const signIn = (email: string, token: string): string => signInAs(email, href('invitation', { token }))

type Invited = { email: string; token: string }

function Strangers({ email, token }: Invited) {
  // Without Google the page of choices has a single one.
  const way = useSignInOptions().google ? href('register') : href('create-account')
  return (
    <>
      <Button component="a" href={signIn(email, token)} fullWidth>
        {m.invitation_sign_in()}
      </Button>
      <Button component="a" href={toward(way, undefined, email)} variant="default" fullWidth>
        {m.invitation_create({ email })}
      </Button>
    </>
  )
}

const isSameAddress = (one: string, other: string) => one.toLowerCase() === other.toLowerCase()

type OtherProps = Invited & { user: { email: string; first_name: string; last_name: string } }

/** Only the invited address can accept, so another person is offered to change the account. */
function Other({ user, email, token }: OtherProps) {
  return (
    <>
      <p>{m.invitation_for_other({ email, own: user.email })}</p>
      <Button component="a" href={signIn(email, token)} fullWidth>
        {m.invitation_sign_in_as({ email })}
      </Button>
      <Button component="a" href={href('dashboard')} variant="default" fullWidth>
        {m.invitation_stay({ name: fullName(user) })}
      </Button>
    </>
  )
}

function Known({
  email,
  token,
  isRefused,
  isRunning,
  onAccept,
}: Invited & { isRefused: boolean; isRunning: boolean; onAccept: () => void }) {
  const { data: user } = useQuery(userQuery)
  if (user && !isSameAddress(user.email, email)) return <Other user={user} email={email} token={token} />
  return (
    <>
      {user && <p className="quiet">{m.invitation_signed_in({ email: user.email })}</p>}
      <Button fullWidth loading={isRunning} onClick={onAccept}>
        {m.invitation_accept()}
      </Button>
      {isRefused && (
        <Button component="a" href={signIn(email, token)} variant="default" fullWidth>
          {m.invitation_other_account({ email })}
        </Button>
      )}
    </>
  )
}

const faults = {
  link_invalid: { title: m.invitation_gone_title, text: m.invitation_gone_text },
  link_expired: { title: m.invitation_expired_title, text: m.invitation_expired_text },
  conflict: { title: m.invitation_used_title, text: m.invitation_used_text },
}

type Preview = { data: unknown; error: unknown }

/** Every way through sign-in returns to the invitation; an invalid one is not kept. */
function useKeeping(token: string, { data, error }: Preview): void {
  const works = data !== undefined
  const fails = !works && error !== null && asFailure(error).status !== 0
  useEffect(() => {
    if (works) inviteToken.set(token)
    else if (fails) inviteToken.remove()
  }, [token, works, fails])
}

function Invitation({ token }: { token: string }) {
  const [isSignedIn, setIsSignedIn] = useState(() => accessToken() !== undefined)
  const [isRefused, setIsRefused] = useState(false)
  const navigate = useNavigate()
  const accepting = useAccepting(token, () => {
    forgetToken()
    setIsSignedIn(false)
  })
  const { isRunning, outcome } = accepting
  // Hidden while the acceptance runs.
  const preview = useQuery({ ...previewQuery(token), enabled: !isRunning && outcome?.kind !== 'accepted' })
  useKeeping(token, preview)
  if (!preview.data) {
    if (!preview.isError) return <GuestCard title={m.invitation_title()} lead={m.callback_text()} />
    return (
      <LinkFault failure={asFailure(preview.error)} again={() => void preview.refetch()} words={faults}>
        <Button component="a" href={isSignedIn ? href('dashboard') : href('login')} fullWidth>
          {isSignedIn ? m.to_dashboard() : m.to_login()}
        </Button>
      </LinkFault>
    )
  }
  const { inviter_name, inviter_company, invited_email: email, link_expires_at, permissions } = preview.data
  const name = inviter_company ? `${inviter_name} (${inviter_company})` : inviter_name
  const close = () => {
    accepting.dismiss()
    setIsRefused(outcome?.kind === 'mismatch')
    if (outcome?.kind === 'accepted') void navigate({ to: href('invitation2') })
  }
  return (
    <GuestCard title={m.invitation_title()} lead={m.invitation_lead({ name, email })}>
      <Opened lines={previewInWords(permissions)} />
      {isSignedIn ? (
        <Known
          email={email}
          token={token}
          isRefused={isRefused}
          isRunning={isRunning}
          onAccept={accepting.run}
        />
      ) : (
        <Strangers email={email} token={token} />
      )}
      <p className="quiet">{m.invitation_until({ date: dayInWords(link_expires_at, language()) })}</p>
      {outcome && <Told outcome={outcome} onClose={close} />}
    </GuestCard>
  )
}

function Opened({ lines }: { lines: readonly string[] }): ReactNode {
  return (
    <section aria-labelledby="opened">
      <h2 id="opened" style={{ marginBottom: 8 }}>
        {m.invitation_to()}
      </h2>
      {lines.length > 0 ? <MayList lines={lines} /> : <p className="quiet">{m.permission_nothing()}</p>}
    </section>
  )
}

/** Shows who invites and to what, with the buttons to answer. */
export default function InvitationScreen() {
  const { token = '' } = useParams({ strict: false })
  return (
    <QueryClientProvider client={queryClient}>
      <Invitation key={token} token={token} />
    </QueryClientProvider>
  )
}
