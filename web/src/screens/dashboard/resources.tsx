import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type ComponentProps, type ReactNode, Suspense, useState } from 'react'
import { list } from '../../api/query.ts'
import type { Row } from '../../api/rows.ts'
import { ResourceStatus } from '../../components/panel-status.tsx'
import { type Column, ResourceTable } from '../../components/table/resource-table.tsx'
import { useView, type View } from '../../components/table/table-view.ts'
import { m } from '../../texts/compiled/messages.js'
import { Copyable } from '../../ui/copy/copyable.tsx'
import { Empty } from '../../ui/empty.tsx'
import { IconCluster, IconDomain, IconServer } from '../../ui/icons.tsx'
import { lazily } from '../../ui/loading/lazily.ts'
import { Certificate } from './panel/certificate.tsx'
import classes from './panel/row-drawer.module.css'
import { pollEvery } from './timers.ts'

const RowDrawer = lazily(async () => (await import('./panel/row-drawer.tsx')).RowDrawer)

const figures = () => import('./panel/figures.tsx')
const ServerFigures = lazily(async () => (await figures()).ServerFigures)
const ServerPower = lazily(async () => (await import('./panel/server-power.tsx')).ServerPower)
const DomainFigures = lazily(async () => (await figures()).DomainFigures)
const SeriesCharts = lazily(async () => (await import('./panel/series.tsx')).SeriesCharts)
const ReasonsOf = lazily(async () => (await figures()).ReasonsOf)

type Kind = 'servers' | 'clusters' | 'domains'

const sorts = ['name', '-name', 'status', '-status'] as const

/** The query options that servers, clusters and domains share. */
const asked = (panel: number, { search, sort, page, size }: View) => ({
  filter: { panel_id: panel, search },
  sort: sorts.find((one) => one === sort) ?? 'name',
  page: { number: page, size },
})

/** Polled like the panel; the old rows stay while new ones load. */
const polled = { refetchInterval: pollEvery.timer, placeholderData: keepPreviousData }

const share = (value: number) => `${Math.round(value)}%`
const gigabytes = (value: number) => `${value} GB`

/** The first columns of every table in a panel; the name opens the row. */
const common = (open: (id: number) => void) => [
  {
    name: 'name',
    label: m.column_name(),
    sort: 'name',
    cell: ({ id, name }: Row<Kind>) => (
      <button type="button" className={classes.open} aria-haspopup="dialog" onClick={() => open(id)}>
        {name}
      </button>
    ),
  },
  {
    name: 'status',
    label: m.column_status(),
    sort: 'status',
    onPhone: 'aside' as const,
    cell: (row: Row<Kind>) => <ResourceStatus status={row.status} />,
  },
  {
    name: 'region',
    label: m.column_region(),
    onPhone: 'hidden' as const,
    cell: (row: Row<Kind>) => row.region ?? '–',
  },
]

type ListedProps<R> = Pick<
  ComponentProps<typeof ResourceTable<R & { id: number }>>,
  'caption' | 'view' | 'onChange' | 'empty' | 'query'
> & {
  columns: readonly Column<R>[]
  /** Details that only the drawer shows. */
  more: (row: R) => ReactNode
  verbs?: (row: R) => ReactNode
  below?: ((row: R) => ReactNode) | undefined
}

/** A table of a panel, whose rows open in a drawer. */
function Listed<R extends Row<Kind>>({ columns, more, verbs, below, query, ...table }: ListedProps<R>) {
  const [id, open] = useState<number>()
  const all: Column<R>[] = [...common(open), ...columns]
  const row = query.data?.items.find((one) => one.id === id)
  return (
    <>
      <ResourceTable {...table} isCompact columns={all} query={query} />
      <Suspense>
        {row && (
          <RowDrawer
            name={row.name}
            seenAt={row.last_seen_at}
            facts={all.slice(1).map(({ name, label, cell }) => ({ name, label, value: cell(row) }))}
            more={more(row)}
            verbs={verbs?.(row)}
            onClose={() => open(undefined)}
          >
            {below?.(row)}
          </RowDrawer>
        )}
      </Suspense>
    </>
  )
}

/** `series`: whether the engine of the panel tells the last day of what is in it. */
type Of = { panel: number; series: boolean }

export function Servers({ panel, series }: Of) {
  const [view, change] = useView()
  const query = useQuery({ ...list('servers', asked(panel, view)), ...polled })
  const columns: Column<Row<'servers'>>[] = [
    {
      name: 'ipv4',
      label: m.column_ip(),
      cell: ({ ipv4 }) =>
        ipv4 === null ? '–' : <Copyable value={ipv4} label={m.copy_one({ what: ipv4 })} done={m.copied()} />,
    },
    { name: 'vcpus', label: m.column_vcpus(), number: true, onPhone: 'hidden', cell: (row) => row.vcpus },
    {
      name: 'memory',
      label: m.column_memory(),
      number: true,
      onPhone: 'hidden',
      cell: (row) => gigabytes(row.memory_gb),
    },
    {
      name: 'disk',
      label: m.column_disk(),
      number: true,
      onPhone: 'hidden',
      cell: (row) => gigabytes(row.disk_gb),
    },
    {
      name: 'cpu',
      label: m.column_cpu(),
      number: true,
      onPhone: 'labelled',
      cell: (row) => share(row.cpu_percent),
    },
  ]
  const empty = (
    <Empty icon={<IconServer size={20} />} title={m.servers_empty_title()} text={m.servers_empty_text()} />
  )
  return (
    <Listed
      caption={m.single_servers()}
      columns={columns}
      more={(row) => <ServerFigures server={row} />}
      verbs={(row) => <ServerPower server={row} />}
      below={
        series
          ? (row) => <SeriesCharts type="servers" id={row.id} memory={row.memory_gb} disk={row.disk_gb} />
          : undefined
      }
      query={query}
      view={view}
      onChange={change}
      empty={empty}
    />
  )
}

export function Clusters({ panel, series }: Of) {
  const [view, change] = useView()
  const query = useQuery({ ...list('clusters', asked(panel, view)), ...polled })
  const columns: Column<Row<'clusters'>>[] = [
    {
      name: 'nodes',
      label: m.column_nodes(),
      number: true,
      cell: (row) => m.nodes_ready({ ready: row.nodes_ready, total: row.nodes }),
    },
    { name: 'vcpus', label: m.column_vcpus(), number: true, onPhone: 'hidden', cell: (row) => row.vcpus },
    {
      name: 'memory',
      label: m.column_memory(),
      number: true,
      onPhone: 'hidden',
      cell: (row) => gigabytes(row.memory_gb),
    },
    {
      name: 'cpu',
      label: m.column_cpu(),
      number: true,
      onPhone: 'labelled',
      cell: (row) => share(row.cpu_percent),
    },
  ]
  const empty = (
    <Empty icon={<IconCluster size={20} />} title={m.clusters_empty_title()} text={m.clusters_empty_text()} />
  )
  return (
    <Listed
      caption={m.clusters()}
      columns={columns}
      more={(row) => <ReasonsOf row={row} />}
      below={
        series ? (row) => <SeriesCharts type="clusters" id={row.id} memory={row.memory_gb} /> : undefined
      }
      query={query}
      view={view}
      onChange={change}
      empty={empty}
    />
  )
}

export function Domains({ panel }: { panel: number }) {
  const [view, change] = useView()
  const query = useQuery({ ...list('domains', asked(panel, view)), ...polled })
  const columns: Column<Row<'domains'>>[] = [
    {
      name: 'mailboxes',
      label: m.column_mailboxes(),
      number: true,
      onPhone: 'labelled',
      cell: (row) => row.mailboxes,
    },
    {
      name: 'tls',
      label: m.column_certificate(),
      cell: (row) => <Certificate expiresOn={row.tls_expires_on} />,
    },
  ]
  const empty = (
    <Empty icon={<IconDomain size={20} />} title={m.domains_empty_title()} text={m.domains_empty_text()} />
  )
  return (
    <Listed
      caption={m.domains()}
      columns={columns}
      more={(row) => <DomainFigures domain={row} />}
      query={query}
      view={view}
      onChange={change}
      empty={empty}
    />
  )
}
