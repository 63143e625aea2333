import { Button, Group, TextInput } from '@mantine/core'
import { answerBlanks } from '@portico/contract/resources/canned-answers.ts'
import { longestMessage } from '@portico/contract/resources/tickets.ts'
import { type FormEvent, useState } from 'react'
import { inWords } from '../../api/refusal-words.ts'
import type { Row } from '../../api/rows.ts'
import { useCreate, useUpdate } from '../../api/write.ts'
import { withTyped } from '../../components/forms/chips.ts'
import { toast } from '../../stores/toast.ts'
import { m } from '../../texts/compiled/messages.js'
import { useFocusBack } from '../../ui/modal/focus-back.ts'
import { Modal } from '../../ui/modal/modal.tsx'
import { TextArea } from '../../ui/text-area.tsx'
import classes from '../verbs/verb-dialog.module.css'
import { DepartmentChoice, MacroFields, type MacroWish, macroIn } from './macro-fields.tsx'

export type Answer = Row<'canned-answers', 'ticketDepartment' | 'moveTo'>

type Wish = MacroWish & { title: string; department: number | null; body_en: string; body_ro: string }
type FieldProps = { wish: Wish; change: (part: Partial<Wish>) => void }

const bodies = { body_en: m.desk_answers_body_en, body_ro: m.desk_answers_body_ro } as const

const blanks = answerBlanks.map((name) => `{${name}}`).join(', ')

function Fields({ wish, change }: FieldProps) {
  return (
    <>
      <TextInput
        data-autofocus
        label={m.desk_answers_name()}
        required
        maxLength={80}
        value={wish.title}
        onChange={({ currentTarget }) => change({ title: currentTarget.value })}
      />
      <DepartmentChoice
        label={m.desk_departments_where()}
        none={m.desk_answers_all()}
        value={wish.department}
        onChange={(department) => change({ department })}
      />
      {(['body_en', 'body_ro'] as const).map((name) => (
        <TextArea
          key={name}
          label={bodies[name]()}
          description={m.desk_answers_body_hint({ blanks })}
          required
          rows={6}
          maxLength={longestMessage}
          value={wish[name]}
          onChange={({ currentTarget }) => change({ [name]: currentTarget.value })}
        />
      ))}
      <MacroFields wish={wish} change={change} />
    </>
  )
}

/** Saves an answer: a new one, or the changes of one. */
function useSaved(answer: Answer | undefined, onSaved: () => void) {
  const [create, update] = [useCreate('canned-answers'), useUpdate('canned-answers')]
  const save = ({ department, priority, moveTo, typed, tags, ...attributes }: Wish) => {
    const to = (id: number | null) => (id === null ? null : ({ type: 'ticket-departments', id } as const))
    const values = {
      attributes: { ...attributes, priority, tags: withTyped(tags, typed) },
      relationships: { ticketDepartment: to(department), moveTo: to(moveTo) },
    }
    const onSuccess = () => {
      onSaved()
      toast(m.desk_answers_saved())
    }
    if (answer) update.mutate({ id: answer.id, ...values }, { onSuccess })
    else create.mutate(values, { onSuccess })
  }
  const { isPending, error } = answer ? update : create
  return { save, isPending, error }
}

/** The form of a ready answer. */
export function AnswerForm({ answer, onClose }: { answer?: Answer; onClose: () => void }) {
  useFocusBack()
  const { save, isPending, error } = useSaved(answer, onClose)
  const [wish, setWish] = useState<Wish>({
    title: answer?.title ?? '',
    department: answer?.ticketDepartment?.id ?? null,
    body_en: answer?.body_en ?? '',
    body_ro: answer?.body_ro ?? '',
    ...macroIn(answer),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    save(wish)
  }
  return (
    <Modal
      opened
      onClose={onClose}
      closeOnEscape={!isPending}
      closeOnClickOutside={false}
      size="lg"
      title={answer ? m.desk_answers_edit({ name: answer.title }) : m.desk_answers_add()}
      closeButtonProps={{ 'aria-label': m.close() }}
    >
      <form className={classes.form} onSubmit={submit}>
        <Fields wish={wish} change={(part) => setWish((last) => ({ ...last, ...part }))} />
        <div role="alert" className={classes.refusal}>
          {error && inWords(error)}
        </div>
        <Group justify="flex-end" gap={8}>
          <Button variant="default" disabled={isPending} onClick={onClose}>
            {m.cancel()}
          </Button>
          <Button type="submit" loading={isPending}>
            {m.save()}
          </Button>
        </Group>
      </form>
    </Modal>
  )
}
