import { Button, Group } from '@mantine/core'
import { useState } from 'react'
import { useAction } from '../../api/write.ts'
import { departmentName } from '../../components/tickets/words.tsx'
import { toast } from '../../stores/toast.ts'
import { m } from '../../texts/compiled/messages.js'
import { because, VerbDialog } from '../verbs/verb-dialog.tsx'
import { EditDepartment } from './department-form.tsx'
import type { Department } from './words.ts'

const words = {
  close: { label: m.desk_departments_close, text: m.desk_departments_close_text },
  reopen: { label: m.desk_departments_reopen, text: m.desk_departments_reopen_text },
} as const

type Plain = keyof typeof words
type Of = { department: Department; onClose: () => void }

function PlainDialog({ department, name, onClose }: Of & { name: Plain }) {
  const action = useAction('desk-departments', name)
  const { label, text } = words[name]
  const done = () => {
    onClose()
    toast(m.desk_departments_done())
  }
  return (
    <VerbDialog
      title={`${label()}: ${departmentName(department)}`}
      text={text()}
      verb={label()}
      danger={name === 'close'}
      action={action}
      onConfirm={(reason) =>
        action.mutate({ id: department.id, payload: {}, headers: because(reason) }, { onSuccess: done })
      }
      onClose={onClose}
    />
  )
}

/** The actions of administrators on a department. */
export function DepartmentVerbs({ department }: { department: Department }) {
  const [open, setOpen] = useState<'edit' | Plain>()
  const close = () => setOpen(undefined)
  const offered = (['close', 'reopen'] as const).filter((name) => department.may[name])
  return (
    <Group gap={8}>
      <Button variant="default" size="xs" onClick={() => setOpen('edit')}>
        {m.desk_departments_edit()}
      </Button>
      {offered.map((name) => (
        <Button key={name} variant="default" size="xs" onClick={() => setOpen(name)}>
          {words[name].label()}
        </Button>
      ))}
      {open === 'edit' && <EditDepartment of={department} onClose={close} />}
      {open && open !== 'edit' && <PlainDialog department={department} name={open} onClose={close} />}
    </Group>
  )
}
