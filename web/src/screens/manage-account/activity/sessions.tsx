import { Button } from '@mantine/core'
import * as addresses from '@portico/contract/calls/account/addresses.ts'
import { Suspense, useState } from 'react'
import { inWords } from '../../../api/refusal-words.ts'
import { useCall } from '../../../api/write.ts'
import { Refusal } from '../../../components/form-foot/form-foot.tsx'
import { When } from '../../../components/when.tsx'
import { toast } from '../../../stores/toast.ts'
import { m } from '../../../texts/compiled/messages.js'
import { lazily } from '../../../ui/loading/lazily.ts'
import { IconDevice, IconPhone } from '../../../ui/more-icons.tsx'
import { focusSection, SectionFoot, SectionList, SectionRow } from '../../../ui/section.tsx'
import { Status } from '../../../ui/status.tsx'
import type { Session } from '../security-data.ts'
import { deviceName } from './device.ts'

const EndSessions = lazily(async () => (await import('./end-sessions.tsx')).EndSessions)

const phones = /Android|iOS|iPhone|iPad/

function SessionRow({ session }: { session: Session }) {
  const end = useCall(addresses.endSession)
  const { id, current, device, ip, created_at, last_seen_at } = session
  const name = deviceName(device)
  const Icon = phones.test(device.system ?? '') ? IconPhone : IconDevice
  const revoke = async () => {
    // The row is removed before the answer arrives, so its state lives outside.
    await end.mutateAsync({ id })
    toast(m.session_revoked({ name }))
    focusSection('sessions')
  }
  return (
    <SectionRow
      icon={<Icon size={18} />}
      title={
        <>
          {name}
          {current && <Status tone="good">{m.session_this()}</Status>}
        </>
      }
      text={
        <>
          {ip && `${ip} · `}
          {m.session_since()} <When moment={created_at} />
          {' · '}
          {m.session_seen()} <When moment={last_seen_at} />
          <Refusal>{end.error ? inWords(end.error) : undefined}</Refusal>
        </>
      }
    >
      {!current && (
        <Button
          size="xs"
          variant="default"
          aria-label={m.session_revoke_one({ name })}
          loading={end.isPending}
          onClick={() => void revoke().catch(() => undefined)}
        >
          {m.session_revoke()}
        </Button>
      )}
    </SectionRow>
  )
}

/** The active sessions, this one first; any other can be ended here. */
export function SessionsBody({ sessions }: { sessions: readonly Session[] }) {
  const [isAsking, setIsAsking] = useState(false)
  const others = sessions.filter(({ current }) => !current).length
  return (
    <>
      <SectionList label={m.account_sessions()}>
        {sessions.map((session) => (
          <SessionRow key={session.id} session={session} />
        ))}
      </SectionList>
      {others > 0 && (
        <SectionFoot>
          <Button variant="default" onClick={() => setIsAsking(true)}>
            {m.sessions_revoke()}
          </Button>
        </SectionFoot>
      )}
      <Suspense>{isAsking && <EndSessions count={others} onClose={() => setIsAsking(false)} />}</Suspense>
    </>
  )
}
