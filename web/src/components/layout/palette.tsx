import { createSpotlight, Spotlight, type SpotlightActionGroupData } from '@mantine/spotlight'
import '@mantine/spotlight/styles.layer.css'
import { useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useUser } from '../../api/user.ts'
import { useWorkspaces } from '../../api/workspaces.ts'
import { href, routes } from '../../routes.ts'
import { closeOverlay, openOverlay } from '../../stores/overlay.ts'
import { m } from '../../texts/compiled/messages.js'
import { useChooseWorkspace } from '../person.ts'
import '../../ui/dialog-styles.ts'
import { IconSearch } from '../../ui/icons.ts'
import classes from './palette.module.css'

const [store, spotlight] = createSpotlight()

/** Pages that one goes to without an id. */
const allScreens = [
  { to: href('dashboard'), title: routes.dashboard.title },
  { to: href('billing'), title: routes.billing.title },
  { to: href('billing-log'), title: routes['billing-log'].title },
  { to: href('usages'), title: routes.usages.title },
  { to: href('payment'), title: routes.payment.title },
  { to: href('tickets'), title: routes.tickets.title },
  { to: href('team-members'), title: routes['team-members'].title },
  { to: href('manage-permissions'), title: routes['manage-permissions'].title },
  { to: href('api-keys'), title: routes['api-keys'].title },
  { to: href('manage-account'), title: routes['manage-account'].title },
] as const

const ofStaff: readonly string[] = [href('tickets'), href('manage-account')]

function useActions(): SpotlightActionGroupData[] {
  const navigate = useNavigate()
  const choose = useChooseWorkspace()
  const { all } = useWorkspaces()
  const { staff } = useUser()
  const screens = allScreens.filter(({ to }) => staff === null || ofStaff.includes(to))
  const panels = all.flatMap((workspace) => workspace.panels.map((panel) => ({ workspace, panel })))
  return [
    {
      group: m.palette_screens(),
      actions: [
        ...screens.map(({ to, title }) => ({ id: to, label: title(), onClick: () => navigate({ to }) })),
        // When this one has closed, which closes whatever is open.
        {
          id: 'keys',
          label: m.keys_title(),
          onClick: () => void setTimeout(() => openOverlay({ kind: 'keys' })),
        },
      ],
    },
    {
      group: m.palette_workspaces(),
      actions: all.map(({ id, name }) => ({ id: `workspace-${id}`, label: name, onClick: () => choose(id) })),
    },
    {
      group: m.palette_panels(),
      actions: panels.map(({ workspace, panel }) => ({
        id: `panel-${panel.id}`,
        label: panel.name,
        description: workspace.name,
        onClick: () => navigate({ to: href('dashboard', { panel_id: panel.id }) }),
      })),
    },
  ]
}

/** Goes anywhere by typing a part of its name. */
export function Palette() {
  const actions = useActions()
  useEffect(() => spotlight.open(), [])
  return (
    <Spotlight
      store={store}
      attributes={{ content: { 'aria-label': m.palette_placeholder() } }}
      actions={actions}
      shortcut={null}
      scrollable
      // Not in the middle: the field would move while the list beneath it changes.
      centered={false}
      classNames={{ body: classes.body ?? '', actionsGroup: classes.group ?? '' }}
      overlayProps={{ blur: 0, backgroundOpacity: 0.6 }}
      maxHeight={420}
      nothingFound={m.nothing_found()}
      highlightQuery
      onSpotlightClose={closeOverlay}
      searchProps={{
        placeholder: m.palette_placeholder(),
        'aria-label': m.palette_placeholder(),
        leftSection: <IconSearch size={18} aria-hidden="true" />,
      }}
    />
  )
}
