import { NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { type Narrowing, type Range, type SumRow, usageSums } from '../../api/queries/usage.ts'
import { useWorkspaces } from '../../api/queries/workspaces.ts'
import { m } from '../../texts/compiled/messages.js'
import { PhoneSheet } from '../table/filter-sheet.tsx'
import { idIn, textIn, useSearchState } from '../table/search-state.ts'
import { useAccount } from './account.tsx'
import classes from './money.module.css'

const all = 'all'

/** The filters in the address. A panel in the path applies until another one, or all, is chosen. */
export function useNarrowing(preset?: number): Narrowing {
  const client_id = useAccount()
  const [given] = useSearchState()
  const panel_id = given.panel === undefined ? preset : idIn(given.panel)
  return { client_id, project_id: idIn(given.workspace), panel_id, resource: textIn(given.resource) }
}

type Option = { value: string; name: string; group?: string | undefined }

const optionsOf = (rows: readonly SumRow[] = [], at = 0): Option[] => {
  const names = new Map(rows.map(({ key, label }) => [key[at] ?? '', label[at] ?? '']))
  return [...names].map(([value, name]) => ({ value, name })).sort((a, b) => a.name.localeCompare(b.name))
}

/** The chosen value is always among the options, even without usage. */
const withChosen = (options: readonly Option[], chosen: Option | undefined) =>
  chosen === undefined || options.some(({ value }) => value === chosen.value) ? options : [...options, chosen]

/** The names of everything with usage in a range, and of everything that exists now. */
function useOptions({ client_id, project_id, panel_id, resource }: Narrowing, range: Range) {
  const { all: workspaces } = useWorkspaces()
  const places = useQuery(usageSums({ client_id }, range, 'project', 'panel')).data?.rows
  const ofWorkspace = places?.filter(({ key }) => project_id === undefined || key[0] === String(project_id))
  const panelNames = new Map(places?.map(({ key: [, id], label: [, name] }) => [id, name]))
  const panelOf = (key: string) => (panel_id === undefined ? panelNames.get(key.split('/')[0]) : undefined)
  const used = useQuery(usageSums({ client_id, project_id, panel_id }, range, 'resource')).data?.rows
  const named = <T extends { id: number; name: string }>(id: number | undefined, known: readonly T[]) =>
    id === undefined
      ? undefined
      : { value: String(id), name: known.find((one) => one.id === id)?.name ?? `#${id}` }
  return {
    workspaces: withChosen(optionsOf(places), named(project_id, workspaces)),
    panels: withChosen(
      optionsOf(ofWorkspace, 1),
      named(
        panel_id,
        workspaces.flatMap(({ panels }) => panels),
      ),
    ),
    resources: withChosen(
      optionsOf(used).map(({ value, name }) => ({ value, name: name || value, group: panelOf(value) })),
      resource === undefined ? undefined : { value: resource, name: resource },
    ),
  }
}

type ChoiceProps = {
  label: string
  none: string
  options: readonly Option[]
  chosen: string | number | undefined
  onChoose: (value: string | undefined) => void
}

function Choice({ label, none, options, chosen, onChoose }: ChoiceProps) {
  return (
    <NativeSelect
      size="sm"
      label={label}
      value={chosen ?? all}
      onChange={({ currentTarget: { value } }) => onChoose(value === all ? undefined : value)}
    >
      <option value={all}>{none}</option>
      {[...Map.groupBy(options, ({ group }) => group)].map(([group, grouped]) => {
        const list = grouped.map(({ value, name }) => (
          <option key={value} value={value}>
            {name}
          </option>
        ))
        return group === undefined ? (
          list
        ) : (
          <optgroup key={group} label={group}>
            {list}
          </optgroup>
        )
      })}
    </NativeSelect>
  )
}

type Props = { narrowing: Narrowing; range: Range; children?: ReactNode }

/** Filters usage by workspace, panel and resource; the address keeps them. Further choices follow as children. */
export function UseFilters({ narrowing, range, children }: Props) {
  const { project_id, panel_id, resource } = narrowing
  const count = [project_id, panel_id, resource].filter((one) => one !== undefined).length
  return (
    <div className={classes.filters}>
      <PhoneSheet count={count}>
        <Choices narrowing={narrowing} range={range} />
      </PhoneSheet>
      {children}
    </div>
  )
}

function Choices({ narrowing, range }: Props) {
  const [, change] = useSearchState()
  const { workspaces, panels, resources } = useOptions(narrowing, range)
  return (
    <>
      <Choice
        label={m.workspace()}
        none={m.filter_all()}
        options={workspaces}
        chosen={narrowing.project_id}
        onChoose={(workspace) =>
          change({ workspace: idIn(workspace), panel: all, resource: undefined, page: undefined })
        }
      />
      <Choice
        label={m.usage_panel()}
        none={m.filter_all()}
        options={panels}
        chosen={narrowing.panel_id}
        onChoose={(panel) => change({ panel: idIn(panel) ?? all, resource: undefined, page: undefined })}
      />
      <Choice
        label={m.usage_resource()}
        none={m.filter_all()}
        options={resources}
        chosen={narrowing.resource}
        onChoose={(resource) => change({ resource, page: undefined })}
      />
    </>
  )
}
