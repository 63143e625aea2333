import { Button } from '@mantine/core'
import { deskFileLocation } from '@portico/contract/calls/file-locations.ts'
import { base } from '@portico/contract/wire.ts'
import { useMutation } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { toast } from '../../stores/toast.ts'
import { m } from '../../texts/compiled/messages.js'
import { saveAnswer } from '../accounting/save-answer.ts'
import { createBecause } from '../verbs/create-because.ts'
import { VerbDialog } from '../verbs/verb-dialog.tsx'
import type { ClientFilter } from './filters.tsx'

type Wish = { readonly filter: ClientFilter; readonly reason: string }
type Made = Wish & { readonly id: number; readonly count: number }

const isSame = (one: Wish, other: Wish) =>
  one.reason === other.reason && JSON.stringify(one.filter) === JSON.stringify(other.filter)

/** Asks for a file of the clients, and saves it. A repetition after a failed download saves the file that was asked for. */
function useExport(onSaved: (count: number) => void) {
  const asked = useRef<Made>(undefined)
  return useMutation<number, Error, Wish>({
    mutationFn: async (wish) => {
      if (!asked.current || !isSame(asked.current, wish)) {
        const { id, count } = await createBecause('client-exports', { filter: wish.filter }, wish.reason)
        asked.current = { ...wish, id, count }
      }
      const { id, count } = asked.current
      const path = `${base}${deskFileLocation.clients.replace(':id', String(id))}`
      await saveAnswer(path, 'text/csv', 'clients.csv')
      asked.current = undefined
      return count
    },
    onSuccess: onSaved,
  })
}

/** Exports the clients of the present list as CSV, with a reason. */
export function ExportClients({ filter }: { filter: ClientFilter }) {
  const [isOpen, setOpen] = useState(false)
  const action = useExport((count) => {
    setOpen(false)
    toast(m.desk_clients_exported({ count }))
  })
  return (
    <>
      <Button variant="default" onClick={() => setOpen(true)}>
        {m.desk_clients_export()}
      </Button>
      {isOpen && (
        <VerbDialog
          title={m.desk_clients_export()}
          text={Object.keys(filter).length > 0 ? m.desk_clients_export_some() : m.desk_clients_export_all()}
          verb={m.desk_export_verb()}
          action={action}
          onConfirm={(reason) => action.mutate({ filter, reason })}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  )
}
