import { MultiSelect } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { list } from '../../api/query.ts'
import { m } from '../../texts/compiled/messages.js'
import '../../ui/styles/tags.ts'

const found = (search: string) =>
  list('domains', {
    filter: { search: search === '' ? undefined : search },
    sort: 'name',
    page: { size: 100 },
  })

type Props = { value: readonly number[]; onChange: (ids: number[]) => void }

/** Domains that are shared one by one, searched on the server because there may be thousands. */
export function DomainChoice({ value, onChange }: Props) {
  const [search, setSearch] = useState('')
  const [names, setNames] = useState<ReadonlyMap<number, string>>(new Map())
  const first = useQuery(found('')).data?.items ?? []
  const matching = useQuery({ ...found(search), placeholderData: keepPreviousData }).data?.items ?? []
  const known = new Map([...names, ...[...first, ...matching].map(({ id, name }) => [id, name] as const)])
  const offered = new Set([...value, ...matching.map(({ id }) => id)])
  const nameOf = (id: number) => known.get(id) ?? `#${id}`
  return (
    <MultiSelect
      label={m.permission_domains()}
      placeholder={m.permission_domains_text()}
      searchable
      hidePickedOptions
      nothingFoundMessage={m.nothing_found()}
      maxDropdownHeight={240}
      comboboxProps={{ withinPortal: false }}
      data={[...offered].map((id) => ({ value: String(id), label: nameOf(id) }))}
      searchValue={search}
      onSearchChange={setSearch}
      value={value.map(String)}
      onChange={(chosen) => {
        // Chosen domains keep their names when a later search does not find them.
        setNames(new Map(chosen.map((id) => [Number(id), nameOf(Number(id))])))
        onChange(chosen.map(Number).sort((a, b) => a - b))
      }}
    />
  )
}
