import type { Panel } from '../api/queries/workspaces.ts'
import { m } from '../texts/compiled/messages.js'

type Reason = NonNullable<Panel['status_reason']>

/** From this share on, the processor is named as the problem. */
const busyFrom = 90

function aboutResource({ name, status, cpu_percent: cpu }: NonNullable<Reason['resource']>): string {
  if (status === 'error') return m.reason_failed({ name })
  if (cpu !== null && cpu >= busyFrom) return m.reason_cpu({ name, share: `${Math.round(cpu)}%` })
  return m.reason_degraded({ name })
}

type Said = Panel['reasons'][number]

const said: Record<Said['code'], () => string> = {
  load: m.reason_said_load,
  memory: m.reason_said_memory,
  disk_full: m.reason_said_disk_full,
  network: m.reason_said_network,
  host_down: m.reason_said_host_down,
  certificate: m.reason_said_certificate,
  over_limit: m.reason_said_over_limit,
  maintenance: m.reason_said_maintenance,
  failed: m.reason_said_failed,
  other: m.reason_said_other,
}

/** Our words for a reason that an engine gives. */
export const saidInWords = (code: Said['code']): string => said[code]()

const reasons = {
  unpaid: m.reason_unpaid,
  trial_ended: m.reason_trial_ended,
  operator: m.reason_operator,
} as const

/** Why a panel is not simply active, as one line. During an upgrade an older replica answers without the reason. */
export function reasonInWords({ status_reason: why }: Partial<Pick<Panel, 'status_reason'>>) {
  if (!why) return undefined
  if (why.code !== 'resource' && why.code !== 'engine') return reasons[why.code]()
  if (why.resource === null) return m.reason_engine()
  const reason = aboutResource(why.resource)
  return why.others === 0 ? reason : m.reason_others({ reason, count: why.others })
}
