import { Button, Group, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { one } from '../../api/query.ts'
import { useDelete } from '../../api/write.ts'
import { href } from '../../routes.ts'
import { language } from '../../stores/language.ts'
import { closeOverlay } from '../../stores/overlay.ts'
import { toast } from '../../stores/toast.ts'
import { m } from '../../texts/compiled/messages.js'
import { Modal } from '../../ui/modal/modal.tsx'

/** The contents of a panel, as `3 servers and 9 domains`; undefined while unknown, and for none. */
function useContents(id: number): string | undefined {
  const { data } = useQuery(one('panels', id))
  if (!data) return undefined
  const { servers_count: servers, clusters_count: clusters, domains_count: domains } = data
  const kinds = [
    servers > 0 && m.servers_count({ count: servers }),
    clusters > 0 && m.clusters_count({ count: clusters }),
    domains > 0 && m.domains_count({ count: domains }),
  ].filter((kind) => kind !== false)
  return kinds.length === 0 ? undefined : new Intl.ListFormat(language()).format(kinds)
}

/** Deletes a panel with its contents; the name must be typed, because deletion is irreversible. */
export function DeletePanel({ id, name }: { id: number; name: string }) {
  const navigate = useNavigate()
  const remove = useDelete('panels')
  const [typed, setTyped] = useState('')
  const contents = useContents(id)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (typed !== name) return
    remove.mutate(
      { id },
      {
        onSuccess: () => {
          closeOverlay()
          toast(m.panel_deleted({ name }))
          void navigate({ to: href('dashboard') })
        },
      },
    )
  }
  return (
    <Modal
      opened
      onClose={closeOverlay}
      title={m.panel_delete_title({ name })}
      closeButtonProps={{ 'aria-label': m.close() }}
    >
      <form onSubmit={submit}>
        <p style={{ marginBottom: 16 }}>
          {contents === undefined ? m.panel_delete_text() : m.panel_delete_with({ contents })}
        </p>
        <TextInput
          data-autofocus
          label={m.panel_delete_type({ name })}
          autoComplete="off"
          value={typed}
          error={remove.error?.message}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
        <Group justify="flex-end" mt={24} gap={8}>
          <Button variant="default" onClick={closeOverlay}>
            {m.cancel()}
          </Button>
          <Button type="submit" color="red.8" disabled={typed !== name} loading={remove.isPending}>
            {m.panel_delete()}
          </Button>
        </Group>
      </form>
    </Modal>
  )
}
