import type { Panel } from '../../api/queries/workspaces.ts'
import { exact } from '../../components/moments.ts'
import { reasonInWords } from '../../components/panel-reason.ts'
import { panelStateName } from '../../components/panel-status.tsx'
import { language } from '../../stores/language.ts'
import { m } from '../../texts/compiled/messages.js'

const stateOf = (panel: Panel): string =>
  [panelStateName(panel.status), reasonInWords(panel)].filter(Boolean).join(', ')

/** The trouble of a panel as a subject; empty while it simply runs. */
export const subjectAbout = (panel: Panel): string =>
  panel.status === 'active' ? '' : `${panel.name}: ${stateOf(panel)}`

/** The state of a panel at this moment, as the beginning of a ticket's description. */
export const factsOf = (panel: Panel): string =>
  m.ticket_facts({
    name: panel.name,
    status: stateOf(panel),
    plan: panel.plan_code ?? '–',
    region: panel.region ?? '–',
    moment: panel.synced_at === null ? '–' : exact(panel.synced_at, language()),
  })
