import { Checkbox } from '@mantine/core'
import { useState } from 'react'
import { useAction } from '../../api/write.ts'
import { m } from '../../texts/compiled/messages.js'
import { because, VerbDialog } from '../verbs/verb-dialog.tsx'
import { EngineFields, type EngineValues } from './engine-fields.tsx'
import '../../ui/styles/checkbox.ts'

type Props = {
  /** There is no engine besides the simulated one. */
  isFirst: boolean
  onAdded: (given: { readonly code: string; readonly secret: string }) => void
  onClose: () => void
}

/** Registers an engine; its secret is shown afterwards. */
export function AddEngine({ isFirst, onAdded, onClose }: Props) {
  const action = useAction('desk-engines', 'add')
  const [values, setValues] = useState<EngineValues>({ name: '', url: '' })
  const [isDefault, setDefault] = useState(true)
  const confirm = (reason: string) =>
    action.mutate(
      { payload: { ...values, is_default: isDefault }, headers: because(reason) },
      { onSuccess: onAdded },
    )
  return (
    <VerbDialog
      title={m.desk_engines_add()}
      text={m.desk_engines_add_text()}
      verb={m.desk_engines_add_verb()}
      isFirst={isFirst}
      action={action}
      onConfirm={confirm}
      onClose={onClose}
    >
      <EngineFields values={values} error={action.error} onChange={setValues} />
      <Checkbox
        label={m.desk_engines_add_default()}
        checked={isDefault}
        onChange={({ currentTarget }) => setDefault(currentTarget.checked)}
      />
    </VerbDialog>
  )
}
