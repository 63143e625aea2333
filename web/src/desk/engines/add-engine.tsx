import { Checkbox, TextInput } from '@mantine/core'
import { useState } from 'react'
import { asFailure } from '../../api/failure.ts'
import { useAction } from '../../api/write.ts'
import { m } from '../../texts/compiled/messages.js'
import { because, VerbDialog } from '../verbs/verb-dialog.tsx'
import '../../ui/styles/checkbox.ts'

type Props = {
  onAdded: (given: { readonly code: string; readonly secret: string }) => void
  onClose: () => void
}

/** Registers an engine; its secret is shown afterwards. */
export function AddEngine({ onAdded, onClose }: Props) {
  const action = useAction('desk-engines', 'add')
  const [name, setName] = useState('')
  const [url, setUrl] = useState('')
  const [isDefault, setDefault] = useState(true)
  const failure = action.error ? asFailure(action.error) : undefined
  const confirm = (reason: string) =>
    action.mutate(
      { payload: { name, url, is_default: isDefault }, headers: because(reason) },
      { onSuccess: onAdded },
    )
  return (
    <VerbDialog
      title={m.desk_engines_add()}
      text={m.desk_engines_add_text()}
      verb={m.desk_engines_add_verb()}
      action={action}
      onConfirm={confirm}
      onClose={onClose}
    >
      <TextInput
        label={m.desk_engines_name()}
        required
        value={name}
        error={failure?.about('name')}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
      />
      <TextInput
        label={m.desk_engines_address()}
        description={m.desk_engines_address_hint()}
        required
        value={url}
        error={failure?.about('url')}
        onChange={({ currentTarget }) => setUrl(currentTarget.value)}
      />
      <Checkbox
        label={m.desk_engines_add_default()}
        checked={isDefault}
        onChange={({ currentTarget }) => setDefault(currentTarget.checked)}
      />
    </VerbDialog>
  )
}
