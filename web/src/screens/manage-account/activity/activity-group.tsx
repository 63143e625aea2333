import { useQuery } from '@tanstack/react-query'
import { sessionsQuery } from '../../../api/queries/security.ts'
import { Loaded } from '../../../components/loaded.tsx'
import { m } from '../../../texts/compiled/messages.js'
import { Section } from '../../../ui/section.tsx'
import { useArrivalAtSection } from '../section-nav.tsx'
import { SecurityLogBody } from './security-log.tsx'
import { SessionsBody } from './sessions.tsx'

/** The sessions, and the account's log. */
export function ActivityGroup() {
  const sessions = useQuery(sessionsQuery)
  useArrivalAtSection(!sessions.isLoading)
  return (
    <>
      <Section id="sessions" title={m.account_sessions()} lead={m.sessions_lead()}>
        <Loaded query={sessions} rows={2}>
          {(data) => <SessionsBody sessions={data.sessions} />}
        </Loaded>
      </Section>
      <Section id="security-log" title={m.account_log()} lead={m.log_lead()}>
        <SecurityLogBody />
      </Section>
    </>
  )
}
