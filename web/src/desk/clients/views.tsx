import { Button, Group, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { wholeList } from '../../api/query.ts'
import { inWords } from '../../api/refusal-words.ts'
import type { Row } from '../../api/rows.ts'
import { useCreate, useDelete } from '../../api/write.ts'
import { ConfirmDialog } from '../../components/dialogs/confirm.tsx'
import { m } from '../../texts/compiled/messages.js'
import { useFocusBack } from '../../ui/modal/focus-back.ts'
import { Modal } from '../../ui/modal/modal.tsx'
import lists from '../lists/lists.module.css'
import classes from './clients.module.css'
import type { ClientFilter } from './filters.tsx'

type View = Row<'desk-views'>

type Kept = View['filter']

const cross = '×'

/** What is kept of a filter: a search may name a person. */
const withoutSearch = ({ search: _, ...kept }: ClientFilter): Kept => kept

const written = (filter: Kept): string => JSON.stringify(Object.entries(filter).sort())

function KeepDialog({ filter, onClose }: { filter: Kept; onClose: () => void }) {
  useFocusBack()
  const [name, setName] = useState('')
  const { mutate, isPending, error } = useCreate('desk-views')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    mutate({ attributes: { name: name.trim(), filter } }, { onSuccess: onClose })
  }
  return (
    <Modal
      opened
      onClose={onClose}
      title={m.desk_views_keep()}
      closeButtonProps={{ 'aria-label': m.close() }}
    >
      <form className={classes.form} onSubmit={submit}>
        <TextInput
          data-autofocus
          label={m.column_name()}
          description={m.desk_views_hint()}
          required
          maxLength={60}
          value={name}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
        />
        <div role="alert" className={classes.refusal}>
          {error && inWords(error)}
        </div>
        <Group justify="flex-end" gap={8}>
          <Button variant="default" onClick={onClose}>
            {m.cancel()}
          </Button>
          <Button type="submit" loading={isPending} disabled={name.trim() === ''}>
            {m.save()}
          </Button>
        </Group>
      </form>
    </Modal>
  )
}

function DeleteView({ view, onClose }: { view: View; onClose: () => void }) {
  const action = useDelete('desk-views')
  return (
    <ConfirmDialog
      title={m.desk_views_delete({ name: view.name })}
      text={m.desk_views_delete_text()}
      verb={m.delete()}
      danger
      action={action}
      onConfirm={() => action.mutate({ id: view.id }, { onSuccess: onClose })}
      onClose={onClose}
    />
  )
}

/** A kept view: pressing it shows its clients, pressing the cross beside it deletes it. */
function KeptView({ view, isShown, onShow }: { view: View; isShown: boolean; onShow: () => void }) {
  const [isDeleting, setDeleting] = useState(false)
  return (
    <Button.Group>
      <Button
        variant={isShown ? 'light' : 'default'}
        size="xs"
        radius="xl"
        aria-pressed={isShown}
        onClick={onShow}
      >
        {view.name}
      </Button>
      <Button
        variant={isShown ? 'light' : 'default'}
        size="xs"
        radius="xl"
        aria-label={m.desk_views_delete({ name: view.name })}
        onClick={() => setDeleting(true)}
      >
        <span aria-hidden="true">{cross}</span>
      </Button>
      {isDeleting && <DeleteView view={view} onClose={() => setDeleting(false)} />}
    </Button.Group>
  )
}

type Props = { filter: ClientFilter; onShow: (filter: Kept) => void }

/** The lists of clients that the reader kept under a name, and the button that keeps the present one. */
export function ClientViews({ filter: listed, onShow }: Props) {
  const filter = withoutSearch(listed)
  const { data } = useQuery(wholeList('desk-views', { sort: 'name' }))
  const [isOpen, setOpen] = useState(false)
  const views = data?.items ?? []
  const isKept = views.some((view) => written(view.filter) === written(filter))
  const isNarrow = Object.keys(filter).length > 0
  return (
    <section className={lists.chips} aria-label={m.desk_views_title()}>
      {views.map((view) => (
        <KeptView
          key={view.id}
          view={view}
          isShown={written(view.filter) === written(filter)}
          onShow={() => onShow(view.filter)}
        />
      ))}
      {isNarrow && !isKept && (
        <Button variant="default" size="xs" radius="xl" onClick={() => setOpen(true)}>
          {m.desk_views_keep()}
        </Button>
      )}
      {isOpen && <KeepDialog filter={filter} onClose={() => setOpen(false)} />}
    </section>
  )
}
