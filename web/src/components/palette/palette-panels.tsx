import type { SpotlightActionData } from '@mantine/spotlight'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { fullName, useUser } from '../../api/queries/user.ts'
import { type Panel, sharedPanelsQuery, useWorkspaces } from '../../api/queries/workspaces.ts'
import { href } from '../../routes.ts'
import { openOverlay } from '../../stores/overlay.ts'
import { m } from '../../texts/compiled/messages.js'
import { IconActivity, IconMessages, IconOpen } from '../../ui/icons.tsx'
import { entranceName, useConnect } from '../panel-connect.ts'
import { afterwards } from './palette-pages.tsx'
import { before, usePlaces } from './use-places.tsx'

type Listed = { readonly panel: Pick<Panel, 'id' | 'name'>; readonly description: string }

/** The panels of the person's workspaces, and those that others have shared with them. */
function useListed(): { own: Panel[]; all: Listed[] } {
  const { all } = useWorkspaces()
  const shared = useQuery({ ...sharedPanelsQuery, enabled: useUser().staff === null }).data?.items ?? []
  return {
    own: all.flatMap(({ panels }) => panels),
    all: [
      ...all.flatMap(({ name, panels }) => panels.map((panel) => ({ panel, description: name }))),
      ...shared.flatMap(({ panel, owner }) =>
        panel && owner ? { panel, description: m.shared_by({ name: fullName(owner) }) } : [],
      ),
    ],
  }
}

/** Every panel, and what can be done with the person's own, which is offered once something is typed. */
export function usePanelActions(isTyped: boolean): {
  panels: SpotlightActionData[]
  verbs: SpotlightActionData[]
} {
  const place = usePlaces()
  const navigate = useNavigate()
  const { open } = useConnect()
  const { own, all } = useListed()
  const panels = all.map(({ panel: { id, name }, description }) =>
    place({ id: `panel-${id}`, label: name, description, to: href('dashboard', { panel_id: id }) }),
  )
  const verbsOf = (panel: Panel): SpotlightActionData[] => {
    const { id, name, status, client_id: clientId, plan_code: plan, may } = panel
    const runs = status === 'active' || status === 'degraded'
    return [
      ...(may.connect && runs
        ? [
            {
              id: `connect-${id}`,
              label: entranceName(panel),
              leftSection: before(IconOpen),
              onClick: () => open(panel),
            },
          ]
        : []),
      {
        id: `ticket-about-${id}`,
        label: m.palette_ticket_about({ name }),
        leftSection: before(IconMessages),
        onClick: () =>
          navigate({ to: href('add-ticket', { type: 'technical', panel_id: id }), search: { facts: 1 } }),
      },
      ...(may.changePlan
        ? [
            {
              id: `plan-${id}`,
              label: m.palette_plan_of({ name }),
              leftSection: before(IconActivity),
              onClick: afterwards(() => openOverlay({ kind: 'change-plan', id, clientId, plan })),
            },
          ]
        : []),
    ]
  }
  return { panels, verbs: isTyped ? own.flatMap(verbsOf) : [] }
}
