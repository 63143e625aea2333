import { Button, Group } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { list } from '../../api/query.ts'
import { useDelete } from '../../api/write.ts'
import { ConfirmDialog } from '../../components/dialogs/confirm.tsx'
import { type Column, ResourceTable } from '../../components/table/resource-table.tsx'
import { macroWords } from '../../components/tickets/macro-words.ts'
import { departmentName } from '../../components/tickets/words.tsx'
import { When } from '../../components/when.tsx'
import { m } from '../../texts/compiled/messages.js'
import { Empty } from '../../ui/empty.tsx'
import { IconMessages } from '../../ui/icons.tsx'
import { type Answer, AnswerForm } from './answer-form.tsx'
import classes from './departments.module.css'

function Remove({ answer, onClose }: { answer: Answer; onClose: () => void }) {
  const action = useDelete('canned-answers')
  return (
    <ConfirmDialog
      title={m.desk_answers_remove_title({ name: answer.title })}
      text={m.desk_answers_remove_text()}
      verb={m.desk_answers_remove()}
      danger
      action={action}
      onConfirm={() => action.mutate({ id: answer.id }, { onSuccess: onClose })}
      onClose={onClose}
    />
  )
}

function AnswerVerbs({ answer }: { answer: Answer }) {
  const [open, setOpen] = useState<'edit' | 'remove'>()
  const close = () => setOpen(undefined)
  return (
    <Group gap={8}>
      <Button variant="default" size="xs" onClick={() => setOpen('edit')}>
        {m.desk_departments_edit()}
      </Button>
      <Button variant="default" size="xs" onClick={() => setOpen('remove')}>
        {m.desk_answers_remove()}
      </Button>
      {open === 'edit' && <AnswerForm answer={answer} onClose={close} />}
      {open === 'remove' && <Remove answer={answer} onClose={close} />}
    </Group>
  )
}

const columns = (): Column<Answer>[] => [
  { name: 'title', label: m.desk_answers_name(), cell: ({ title }) => <strong>{title}</strong> },
  {
    name: 'department',
    label: m.desk_departments_where(),
    cell: ({ ticketDepartment }) =>
      ticketDepartment ? departmentName(ticketDepartment) : m.desk_answers_all(),
  },
  { name: 'macro', label: m.desk_answers_macro(), cell: (answer) => macroWords(answer) || '–' },
  { name: 'changed', label: m.column_date(), cell: ({ updatedAt }) => <When moment={updatedAt} /> },
  { name: 'verbs', label: m.desk_column_verbs(), cell: (answer) => <AnswerVerbs answer={answer} /> },
]

/** The ready answers of staff, in both languages. */
export function Answers() {
  const [isAdding, setAdding] = useState(false)
  const query = useQuery(
    list('canned-answers', { include: ['ticketDepartment', 'moveTo'], sort: 'title', page: { size: 100 } }),
  )
  return (
    <section className={classes.answers} aria-labelledby="ready-answers">
      <div className={classes.head}>
        <div>
          <h2 id="ready-answers">{m.ready_answers()}</h2>
          <p className="quiet">{m.desk_answers_lead()}</p>
        </div>
        <Button variant="default" onClick={() => setAdding(true)}>
          {m.desk_answers_add()}
        </Button>
      </div>
      <ResourceTable
        caption={m.ready_answers()}
        columns={columns()}
        query={query}
        view={{ page: 1, size: 100 }}
        onChange={() => undefined}
        empty={<Empty icon={<IconMessages size={20} />} title={m.desk_answers_none()} />}
        tools={<span />}
      />
      {isAdding && <AnswerForm onClose={() => setAdding(false)} />}
    </section>
  )
}
