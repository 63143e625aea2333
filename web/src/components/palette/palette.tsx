import { createSpotlight, Spotlight, type SpotlightActionGroupData } from '@mantine/spotlight'
import '@mantine/spotlight/styles.layer.css'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { fullName, useUser } from '../../api/queries/user.ts'
import { sharedPanelsQuery, useWorkspaces } from '../../api/queries/workspaces.ts'
import { href } from '../../routes.ts'
import { closeOverlay } from '../../stores/overlay.ts'
import { m } from '../../texts/compiled/messages.js'
import { useChooseWorkspace } from '../person.ts'
import '../../ui/styles/dialog.ts'
import { IconSearch } from '../../ui/icons.tsx'
import classes from './palette.module.css'
import { useFound } from './palette-found.ts'
import { useCommands, usePages } from './palette-pages.ts'

const [store, spotlight] = createSpotlight()

/** Panels that others have shared with the person. */
function useSharedPanels(): SpotlightActionGroupData['actions'] {
  const navigate = useNavigate()
  const shared = useQuery({ ...sharedPanelsQuery, enabled: useUser().staff === null }).data?.items ?? []
  return shared.flatMap(({ panel, owner }) =>
    panel && owner
      ? {
          id: `panel-${panel.id}`,
          label: panel.name,
          description: m.shared_by({ name: fullName(owner) }),
          onClick: () => navigate({ to: href('dashboard', { panel_id: panel.id }) }),
        }
      : [],
  )
}

function useActions(): SpotlightActionGroupData[] {
  const navigate = useNavigate()
  const choose = useChooseWorkspace()
  const { all } = useWorkspaces()
  const shared = useSharedPanels()
  const pages = usePages()
  const commands = useCommands()
  const panels = all.flatMap((workspace) => workspace.panels.map((panel) => ({ workspace, panel })))
  return [
    {
      group: m.palette_screens(),
      actions: pages,
    },
    { group: m.palette_commands(), actions: commands },
    {
      group: m.palette_workspaces(),
      actions: all.map(({ id, name }) => ({ id: `workspace-${id}`, label: name, onClick: () => choose(id) })),
    },
    {
      group: m.palette_panels(),
      actions: [
        ...panels.map(({ workspace, panel }) => ({
          id: `panel-${panel.id}`,
          label: panel.name,
          description: workspace.name,
          onClick: () => navigate({ to: href('dashboard', { panel_id: panel.id }) }),
        })),
        ...shared,
      ],
    },
  ]
}

/**
 * Selects the first result that arrives after the typing; the palette itself only selects among those already
 * there.
 */
function useFirstChosen(groups: readonly SpotlightActionGroupData[]): void {
  const found = groups.flatMap(({ actions }) => actions.map(({ id }) => id)).join()
  useEffect(() => {
    const shown = document.getElementById(store.getState().listId)
    if (found === '' || !shown || shown.querySelector('[data-selected]')) return
    shown.querySelector('[data-action]')?.setAttribute('data-selected', 'true')
    store.updateState((state) => ({ ...state, selected: 0 }))
  }, [found])
}

/**
 * Opens any page, panel or workspace by a part of its name, and carries out commands; finds tickets and invoices also by their numbers.
 */
export function Palette() {
  const actions = useActions()
  const [query, setQuery] = useState('')
  const { groups, isComing } = useFound(query)
  useFirstChosen(groups)
  useEffect(() => spotlight.open(), [])
  return (
    <Spotlight
      store={store}
      attributes={{ content: { 'aria-label': m.palette_placeholder() } }}
      actions={[...actions, ...groups]}
      query={query}
      onQueryChange={setQuery}
      shortcut={null}
      scrollable
      // Centred, the field would move while the list below it changes.
      centered={false}
      classNames={{ body: classes.body ?? '', actionsGroup: classes.group ?? '' }}
      overlayProps={{ blur: 0, backgroundOpacity: 0.6 }}
      maxHeight={420}
      nothingFound={isComing ? m.palette_searching() : m.nothing_found()}
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
