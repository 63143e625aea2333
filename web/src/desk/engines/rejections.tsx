import type { UsageRefusal } from '@portico/contract/engine/usage.ts'
import { useQuery } from '@tanstack/react-query'
import { action as reading } from '../../api/query.ts'
import { useAction } from '../../api/write.ts'
import { toast } from '../../stores/toast.ts'
import { m } from '../../texts/compiled/messages.js'
import { Modal } from '../../ui/modal/modal.tsx'
import { because, VerbDialog } from '../verbs/verb-dialog.tsx'
import classes from './engines.module.css'
import type { Engine } from './words.ts'

const causeNames: Readonly<Record<UsageRefusal, () => string>> = {
  invalid: m.desk_rejected_invalid,
  invalid_quantity: m.desk_rejected_invalid_quantity,
  invalid_interval: m.desk_rejected_invalid_interval,
  crosses_midnight: m.desk_rejected_crosses_midnight,
  too_old: m.desk_rejected_too_old,
  too_new: m.desk_rejected_too_new,
  unknown_panel: m.desk_rejected_unknown_panel,
  unknown_meter: m.desk_rejected_unknown_meter,
}

type Cause = { code: UsageRefusal; events: number; would_take: number; example: string }

function Causes({ causes }: { causes: readonly Cause[] }) {
  return (
    <ul className={classes.causes}>
      {causes.map(({ code, events, would_take: takeable, example }) => (
        <li key={code}>
          <strong>{causeNames[code]()}</strong>
          <span>{m.desk_rejected_count({ events, takeable })}</span>
          <details>
            <summary>{m.desk_rejected_example()}</summary>
            <code>{example}</code>
          </details>
        </li>
      ))}
    </ul>
  )
}

/** What usage of an engine was rejected for; administrators take again what can be counted now. */
export function Rejections({ engine, onClose }: { engine: Engine; onClose: () => void }) {
  const action = useAction('desk-engines', 'takeAgain')
  const { data } = useQuery(reading('desk-engines', 'rejections', { id: engine.id, payload: {} }))
  const causes = data?.causes ?? []
  const title = m.desk_rejected_title({ name: engine.name })
  if (!engine.may.takeAgain)
    return (
      <Modal opened onClose={onClose} title={title} closeButtonProps={{ 'aria-label': m.close() }}>
        <Causes causes={causes} />
      </Modal>
    )
  const takeable = causes.reduce((sum, { would_take }) => sum + would_take, 0)
  return (
    <VerbDialog
      title={title}
      text={m.desk_rejected_text()}
      verb={m.desk_rejected_verb({ takeable })}
      disabled={takeable === 0}
      action={action}
      onConfirm={(reason) =>
        action.mutate(
          { id: engine.id, payload: {}, headers: because(reason) },
          {
            onSuccess: ({ taken, before }) => {
              onClose()
              toast(m.desk_rejected_done({ taken, before }))
            },
          },
        )
      }
      onClose={onClose}
    >
      <Causes causes={causes} />
    </VerbDialog>
  )
}
