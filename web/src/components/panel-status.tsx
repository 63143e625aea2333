import type { Panel } from '../api/queries/workspaces.ts'
import { language } from '../stores/language.ts'
import { m } from '../texts/compiled/messages.js'
import { Status, type Tone } from '../ui/status.tsx'

const panelStates: Record<Panel['status'], [Tone, () => string]> = {
  provisioning: ['idle', m.status_provisioning],
  active: ['good', m.status_active],
  degraded: ['warn', m.status_degraded],
  suspended: ['warn', m.status_suspended],
  deleting: ['idle', m.status_deleting],
  deleted: ['idle', m.status_deleted],
  error: ['bad', m.status_error],
}

/** The name of a state. */
export const panelStateName = (status: Panel['status']): string => panelStates[status][1]()

/** A share in the reader's language, such as 40%. */
const inPercent = (share: number) =>
  new Intl.NumberFormat(language(), { style: 'percent' }).format(share / 100)

type Props = {
  status: Panel['status']
  /** How much of it is made, in percent, where its engine says so. */
  progress?: number | null | undefined
}

export function PanelStatus({ status, progress }: Props) {
  const [tone, name] = panelStates[status]
  return <Status tone={tone}>{progress == null ? name() : `${name()}, ${inPercent(progress)}`}</Status>
}

const resourceStates = {
  running: ['good', m.status_running],
  starting: ['idle', m.status_starting],
  stopped: ['idle', m.status_stopped],
  degraded: ['warn', m.status_degraded],
  error: ['bad', m.status_error],
} as const

/** The state of a server, cluster or domain. */
export function ResourceStatus({ status }: { status: keyof typeof resourceStates }) {
  const [tone, name] = resourceStates[status]
  return <Status tone={tone}>{name()}</Status>
}
