import { Button, Group, NativeSelect } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { list } from '../../api/query.ts'
import { inWords } from '../../api/refusal-words.ts'
import type { Row } from '../../api/rows.ts'
import { useAction } from '../../api/write.ts'
import { SearchBox } from '../../components/table/search-box.tsx'
import { stateName } from '../../components/tickets/words.tsx'
import { toast } from '../../stores/toast.ts'
import { m } from '../../texts/compiled/messages.js'
import { useFocusBack } from '../../ui/modal/focus-back.ts'
import { Modal } from '../../ui/modal/modal.tsx'
import '../../ui/styles/combobox.ts'
import type { Ticket } from '../../components/thread/ticket.ts'

type Of = { ticket: Ticket; onClose: () => void }

const offered = 25

/** The other open tickets of the account, those with the latest messages first. */
function useOthers({ id, client_id }: Ticket, search: string) {
  const { data } = useQuery({
    ...list('tickets', {
      filter: { client_id, closed: 'false', search: search || undefined },
      sort: '-last_message_at',
      page: { size: offered },
    }),
    placeholderData: keepPreviousData,
  })
  return data?.items.filter((one) => one.id !== id)
}

const labelOf = ({ number, subject, status }: Row<'tickets'>): string =>
  [number, subject, stateName(status, 'staff')].join(' · ')

function MergeForm({ ticket, onClose }: Of) {
  const merge = useAction('tickets', 'merge')
  const [search, setSearch] = useState('')
  const [chosen, setChosen] = useState('')
  const others = useOthers(ticket, search)
  const into = others?.find(({ id }) => String(id) === chosen)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!into) return
    const done = () => {
      onClose()
      toast(m.ticket_merged({ number: ticket.number, into: into.number }))
    }
    merge.mutate({ id: ticket.id, payload: { into_id: into.id } }, { onSuccess: done })
  }
  return (
    <form onSubmit={submit}>
      <p>{m.ticket_merge_text({ number: ticket.number })}</p>
      <Group mt={16} gap={8}>
        <SearchBox value={search} onChange={setSearch} />
      </Group>
      <NativeSelect
        mt={8}
        label={m.ticket_merge_into()}
        disabled={!others}
        value={into ? chosen : ''}
        onChange={({ currentTarget: { value } }) => setChosen(value)}
      >
        <option value="">{others?.length === 0 ? m.ticket_merge_none() : m.ticket_merge_choose()}</option>
        {others?.map((one) => (
          <option key={one.id} value={one.id}>
            {labelOf(one)}
          </option>
        ))}
      </NativeSelect>
      <div role="alert" style={{ color: 'var(--bad)', marginTop: merge.error ? 12 : 0 }}>
        {merge.error && inWords(merge.error)}
      </div>
      <Group justify="flex-end" mt={24} gap={8}>
        <Button variant="default" disabled={merge.isPending} onClick={onClose}>
          {m.cancel()}
        </Button>
        <Button type="submit" loading={merge.isPending} disabled={!into}>
          {m.ticket_merge()}
        </Button>
      </Group>
    </form>
  )
}

function MergeDialog(props: Of) {
  useFocusBack()
  return (
    <Modal
      opened
      onClose={props.onClose}
      title={m.ticket_merge_title()}
      closeButtonProps={{ 'aria-label': m.close() }}
    >
      <MergeForm {...props} />
    </Modal>
  )
}

/** Merges the ticket into another one of its account. */
export function Merge({ ticket }: { ticket: Ticket }) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <Button variant="default" aria-haspopup="dialog" onClick={() => setIsOpen(true)}>
        {m.ticket_merge_open()}
      </Button>
      {isOpen && <MergeDialog ticket={ticket} onClose={() => setIsOpen(false)} />}
    </>
  )
}
