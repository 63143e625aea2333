import { useState } from 'react'
import { useAction } from '../../api/write.ts'
import { toast } from '../../stores/toast.ts'
import { m } from '../../texts/compiled/messages.js'
import { because, VerbDialog } from '../verbs/verb-dialog.tsx'
import { EngineFields, type EngineValues } from './engine-fields.tsx'
import type { Engine } from './words.ts'

/** Changes the name and the address of an engine. */
export function EditEngine({ engine, onClose }: { engine: Engine; onClose: () => void }) {
  const action = useAction('desk-engines', 'edit')
  const [values, setValues] = useState<EngineValues>({ name: engine.name, url: engine.base_url ?? '' })
  const done = () => {
    onClose()
    toast(m.desk_engines_done())
  }
  return (
    <VerbDialog
      title={`${m.desk_engines_edit()}: ${engine.name}`}
      text={m.desk_engines_edit_text({ code: engine.code })}
      verb={m.desk_engines_edit_verb()}
      action={action}
      onConfirm={(reason) =>
        action.mutate({ id: engine.id, payload: values, headers: because(reason) }, { onSuccess: done })
      }
      onClose={onClose}
    >
      <EngineFields values={values} error={action.error} onChange={setValues} />
    </VerbDialog>
  )
}
