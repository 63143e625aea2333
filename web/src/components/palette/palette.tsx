import { createSpotlight, Spotlight, type SpotlightActionGroupData } from '@mantine/spotlight'
import '@mantine/spotlight/styles.layer.css'
import { useEffect, useState } from 'react'
import { useWorkspaces } from '../../api/queries/workspaces.ts'
import { closeOverlay } from '../../stores/overlay.ts'
import { m } from '../../texts/compiled/messages.js'
import { useChooseWorkspace } from '../person.ts'
import '../../ui/styles/dialog.ts'
import { IconCluster, IconSearch } from '../../ui/icons.tsx'
import classes from './palette.module.css'
import { fitting } from './palette-filter.ts'
import { useFound } from './palette-found.ts'
import { useCommands, usePages } from './palette-pages.tsx'
import { usePanelActions } from './palette-panels.tsx'
import { recentPlaces } from './palette-recent.ts'
import { before, usePlaces } from './use-places.tsx'

const [store, spotlight] = createSpotlight()

function useActions(isTyped: boolean): SpotlightActionGroupData[] {
  const choose = useChooseWorkspace()
  const { all } = useWorkspaces()
  const place = usePlaces()
  const pages = usePages()
  const commands = useCommands()
  const { panels, verbs } = usePanelActions(isTyped)
  const [recent] = useState(recentPlaces)
  return [
    // The typed text also finds recent items under their own kind.
    { group: m.palette_recent(), actions: isTyped ? [] : recent.map((one) => place(one, 'recent-')) },
    { group: m.palette_screens(), actions: pages },
    { group: m.palette_panels(), actions: panels },
    {
      group: m.palette_workspaces(),
      actions: all.map(({ id, name }) => ({
        id: `workspace-${id}`,
        label: name,
        leftSection: before(IconCluster),
        onClick: () => choose(id),
      })),
    },
    { group: m.palette_commands(), actions: [...commands, ...verbs] },
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
  const [query, setQuery] = useState('')
  const actions = useActions(query.trim() !== '')
  const { groups, isComing } = useFound(query)
  useFirstChosen(groups)
  useEffect(() => spotlight.open(), [])
  return (
    <Spotlight
      store={store}
      attributes={{ content: { 'aria-label': m.palette_placeholder() } }}
      actions={[...actions, ...groups]}
      filter={fitting}
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
