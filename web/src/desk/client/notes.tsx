import { Button } from '@mantine/core'
import { longestNote } from '@portico/contract/resources/client-notes.ts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { list } from '../../api/query.ts'
import { inWords } from '../../api/refusal-words.ts'
import type { Row } from '../../api/rows.ts'
import { useCreate, useUpdate } from '../../api/write.ts'
import type { Column } from '../../components/table/resource-table.tsx'
import { When } from '../../components/when.tsx'
import { m } from '../../texts/compiled/messages.js'
import { TextArea } from '../../ui/text-area.tsx'
import classes from './notes.module.css'
import { ClientTable, useOwnView } from './tables.tsx'
import type { Client } from './words.tsx'

type Note = Row<'client-notes'>

/** The newest pinned note, at the top of the page of a client. */
export function PinnedNote({ client: { id } }: { client: Client }) {
  const { data } = useQuery(
    list('client-notes', {
      filter: { client_id: id, pinned: 'true' },
      sort: '-createdAt',
      page: { number: 1, size: 1 },
    }),
  )
  const [note] = data?.items ?? []
  if (!note) return null
  return (
    <p className={`card ${classes.pinned}`}>
      <span>{note.body}</span> <small>{note.author_name}</small>
    </p>
  )
}

function Add({ client: { id } }: { client: Client }) {
  const [body, setBody] = useState('')
  const add = useCreate('client-notes')
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    const to = { client: { type: 'desk-clients', id } } as const
    const onSuccess = () => {
      setBody('')
      // The button, which had the focus, is disabled while the field is empty.
      form.querySelector('textarea')?.focus()
    }
    add.mutate({ attributes: { body }, relationships: to }, { onSuccess })
  }
  return (
    <form className={`card ${classes.add}`} onSubmit={submit}>
      <TextArea
        label={m.desk_note()}
        description={m.desk_note_hint()}
        rows={3}
        maxLength={longestNote}
        value={body}
        error={add.error && inWords(add.error)}
        onChange={(event) => setBody(event.currentTarget.value)}
      />
      <Button type="submit" loading={add.isPending} disabled={body.trim() === ''}>
        {m.desk_note_add()}
      </Button>
    </form>
  )
}

function Pin({ note: { id, pinned } }: { note: Note }) {
  const change = useUpdate('client-notes')
  return (
    <Button
      variant="default"
      size="xs"
      loading={change.isPending}
      onClick={() => change.mutate({ id, attributes: { pinned: !pinned } })}
    >
      {pinned ? m.desk_note_unpin() : m.desk_note_pin()}
    </Button>
  )
}

const columns = (): Column<Note>[] => [
  {
    name: 'body',
    label: m.desk_note(),
    wide: true,
    cell: ({ body }) => <span className={classes.body}>{body}</span>,
  },
  { name: 'who', label: m.desk_column_who(), cell: ({ author_name }) => author_name },
  { name: 'at', label: m.column_date(), cell: ({ createdAt }) => <When moment={createdAt} /> },
  {
    name: 'verbs',
    label: m.desk_column_verbs(),
    cell: (note) => note.may.update && <Pin note={note} />,
  },
]

/** The notes of staff about a client, newest first. */
export function Notes({ client }: { client: Client }) {
  const [view, change] = useOwnView()
  const query = useQuery({
    ...list('client-notes', {
      filter: { client_id: client.id },
      sort: '-createdAt',
      page: { number: view.page, size: view.size },
    }),
    placeholderData: keepPreviousData,
  })
  return (
    <>
      {client.may.note && <Add client={client} />}
      <ClientTable
        caption={m.desk_tab_notes()}
        columns={columns()}
        query={query}
        view={view}
        onChange={change}
        none={m.desk_notes_none()}
      />
    </>
  )
}
