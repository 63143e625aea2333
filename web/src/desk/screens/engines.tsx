import { Button } from '@mantine/core'
import { useState } from 'react'
import { useUser } from '../../api/queries/user.ts'
import { PageHead } from '../../components/layout/page-head.tsx'
import { type Column, ResourceTable } from '../../components/table/resource-table.tsx'
import { When } from '../../components/when.tsx'
import { m } from '../../texts/compiled/messages.js'
import { Empty } from '../../ui/empty.tsx'
import { IconServer } from '../../ui/icons.tsx'
import { Status } from '../../ui/status.tsx'
import { AddEngine } from '../engines/add-engine.tsx'
import { EngineVerbs } from '../engines/engine-verbs.tsx'
import own from '../engines/engines.module.css'
import { EngineSecret } from '../engines/secret.tsx'
import { type Engine, engineStates } from '../engines/words.ts'
import { useRows } from '../lists/use-rows.ts'
import { StateChoice, useShownState } from '../queues/state-choice.tsx'
import classes from './clients.module.css'

/** A number that should be zero: any other stands out. */
const Count = ({ tone, count }: { tone: 'warn' | 'bad'; count: number }) =>
  count === 0 ? count : <Status tone={tone}>{String(count)}</Status>

const columns = (): Column<Engine>[] => [
  {
    name: 'name',
    label: m.desk_engines_column(),
    sort: 'name',
    cell: ({ name, base_url, is_default }) => (
      <div className={classes.name}>
        <strong>{is_default ? `${name} · ${m.desk_engines_default()}` : name}</strong>
        <span>{base_url ?? m.desk_engines_built_in()}</span>
      </div>
    ),
  },
  {
    name: 'status',
    label: m.column_status(),
    cell: ({ state, detail, version }) => (
      <div className={own.state}>
        <Status tone={engineStates[state].tone}>{engineStates[state].name()}</Status>
        <span className="quiet">{state === 'disabled' ? version : (detail ?? version)}</span>
      </div>
    ),
  },
  { name: 'panels', label: m.desk_engines_panels(), number: true, cell: ({ panels }) => panels },
  {
    name: 'failed',
    label: m.desk_engines_failed(),
    number: true,
    cell: ({ panels_failed: count }) => <Count tone="bad" count={count} />,
  },
  {
    name: 'heard',
    label: m.desk_engines_heard(),
    cell: ({ checked_at: at }) => (at === null ? '–' : <When moment={at} />),
  },
  {
    name: 'lag',
    label: m.desk_column_used_through(),
    cell: ({ used_through: at }) => (at === null ? '–' : <When moment={at} />),
  },
  {
    name: 'unpriced',
    label: m.desk_engines_unpriced(),
    number: true,
    cell: ({ unpriced }) => <Count tone="warn" count={unpriced} />,
  },
  { name: 'verbs', label: m.desk_column_verbs(), cell: (engine) => <EngineVerbs engine={engine} /> },
]

/** The engines in which panels are created. */
export default function EnginesScreen() {
  const { staff } = useUser()
  const [isAdding, setAdding] = useState(false)
  const [given, setGiven] = useState<{ readonly code: string; readonly secret: string }>()
  const state = useShownState(engineStates, 'all')
  const rows = useRows('desk-engines', { order: 'name', sorts: ['name'], filter: { state } })
  const isFirst =
    rows.query.data?.items.every(({ base_url }) => base_url === null) === true && state === undefined
  const show = (added: { readonly code: string; readonly secret: string }) => {
    setAdding(false)
    setGiven(added)
  }
  return (
    <>
      <PageHead title={m.desk_engines_title()} lead={m.desk_engines_lead()}>
        <StateChoice states={engineStates} first="all" />
        {staff?.role === 'admin' && <Button onClick={() => setAdding(true)}>{m.desk_engines_add()}</Button>}
      </PageHead>
      <ResourceTable
        caption={m.desk_engines_title()}
        columns={columns()}
        {...rows}
        empty={
          <Empty
            icon={<IconServer size={20} />}
            title={state ? m.desk_engines_none_of_state() : m.desk_engines_none()}
            {...(!state && { text: m.desk_engines_none_text() })}
          />
        }
        tools={<span />}
      />
      {isAdding && <AddEngine isFirst={isFirst} onAdded={show} onClose={() => setAdding(false)} />}
      {given && <EngineSecret given={given} onClose={() => setGiven(undefined)} />}
    </>
  )
}
