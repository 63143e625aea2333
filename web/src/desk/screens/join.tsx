import { Button } from '@mantine/core'
import * as addresses from '@portico/contract/calls/addresses.ts'
import { newPassword } from '@portico/contract/calls/credentials.ts'
import { useLocation } from '@tanstack/react-router'
import { useState } from 'react'
import * as z from 'zod/mini'
import { call, type Output } from '../../api/call.ts'
import { Failure } from '../../api/failure.ts'
import { inWords } from '../../api/refusal-words.ts'
import { useSavingForm } from '../../components/forms/saving-form.ts'
import { GuestCard, Refusal } from '../../components/guest/card.tsx'
import classes from '../../components/guest/guest.module.css'
import { LinkFault } from '../../components/guest/link-fault.tsx'
import { NewPassword, retypeFault } from '../../components/guest/new-password.tsx'
import { useOnce } from '../../components/guest/once.ts'
import { m } from '../../texts/compiled/messages.js'
import { FirstPasskey } from '../begin/first-passkey.tsx'
import { leave } from '../guard.ts'
import { deskPage, portal } from '../routes.ts'
import { roleNames } from '../staff/words.ts'

type Invitation = Output<typeof addresses.checkStaffInvitation>
type Props = { token: string; invitation: Invitation; onFault: (failure: Failure) => void }

const schema = z.object({ password: newPassword, retype: z.string() })

/** Accepts the invitation and signs in. */
async function join(token: string, password?: string): Promise<void> {
  const { code } = await call(addresses.acceptStaffInvitation, { token, ...(password && { password }) })
  await call(addresses.callback, { code })
}

const isOfLink = (error: unknown): error is Failure =>
  error instanceof Failure &&
  (error.code?.startsWith('link_') === true || error.code === 'staff_invite_client')

function WithPassword({ token, invitation: { email, display_name }, onFault }: Props) {
  const { form, formProps, field, isSaving, refusal } = useSavingForm({
    initial: { password: '', retype: '' },
    schema,
    alsoCheck: retypeFault,
    save: async ({ password }) => {
      try {
        await join(token, password)
      } catch (error) {
        if (!isOfLink(error)) throw error
        return onFault(error)
      }
      await leave(deskPage)
    },
  })
  return (
    <form className={classes.stack} {...formProps}>
      <Refusal message={refusal} />
      {/** Password managers save the new password under this address. */}
      <input type="email" name="email" autoComplete="username" value={email} readOnly hidden />
      <NewPassword values={form.values} field={field} about={[email, display_name]} />
      <Button type="submit" fullWidth loading={isSaving}>
        {m.desk_join_password()}
      </Button>
    </form>
  )
}

/** The first passkey of a person who has joined without a password. */
const AfterJoining = () => (
  <GuestCard title={m.desk_join_started()} lead={m.desk_join_started_text()}>
    <FirstPasskey label={m.desk_join_passkey_again()} onMade={() => leave(deskPage)} />
    <Button component="a" variant="default" fullWidth href={portal['manage-account']}>
      {m.desk_join_other_way()}
    </Button>
  </GuestCard>
)

function WithPasskey({ token, onFault, onJoined }: Props & { onJoined: () => void }) {
  const [state, setState] = useState<{ busy: boolean; refused?: string }>({ busy: false })
  const accept = async () => {
    setState({ busy: true })
    try {
      await join(token)
      onJoined()
    } catch (error) {
      if (isOfLink(error)) onFault(error)
      else setState({ busy: false, refused: inWords(error) })
    }
  }
  return (
    <>
      <Refusal message={state.refused} />
      <Button variant="default" fullWidth loading={state.busy} onClick={() => void accept()}>
        {m.desk_join_passkey()}
      </Button>
    </>
  )
}

/** The invitation can no longer be accepted, or was. */
const Broken = ({ failure, again }: { failure: Failure; again: () => void }) => (
  <LinkFault
    failure={failure}
    again={again}
    words={{ staff_invite_client: { title: m.link_invalid_title, text: () => inWords(failure) } }}
  >
    <p>{m.desk_join_ask()}</p>
    <Button component="a" fullWidth href={portal.login}>
      {m.desk_join_sign_in()}
    </Button>
  </LinkFault>
)

type State = { kind: 'asking' } | { kind: 'joined' } | { kind: 'broken'; failure: Failure }

function Join({ token, invitation }: Omit<Props, 'onFault'>) {
  const [state, setState] = useState<State>({ kind: 'asking' })
  if (state.kind === 'broken')
    return <Broken failure={state.failure} again={() => setState({ kind: 'asking' })} />
  if (state.kind === 'joined') return <AfterJoining />
  const { email, role } = invitation
  const given = { token, invitation, onFault: (failure: Failure) => setState({ kind: 'broken', failure }) }
  return (
    <GuestCard title={m.desk_join_title()} lead={m.desk_join_lead({ email, role: roleNames[role]() })}>
      <WithPassword {...given} />
      <WithPasskey {...given} onJoined={() => setState({ kind: 'joined' })} />
    </GuestCard>
  )
}

/** Joins the staff with the link of a mail; its secret is in the fragment, which browsers never send. */
export default function JoinScreen() {
  const token = useLocation({ select: ({ hash }) => hash })
  const link = useOnce(`join ${token}`, () => call(addresses.checkStaffInvitation, { token }))
  if (link.kind === 'busy') return <GuestCard title={m.desk_join_title()} lead={m.callback_text()} />
  if (link.kind === 'failed') return <Broken failure={link.failure} again={link.again} />
  return <Join key={token} token={token} invitation={link.value} />
}
