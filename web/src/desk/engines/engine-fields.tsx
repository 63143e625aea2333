import { TextInput } from '@mantine/core'
import { asFailure } from '../../api/failure.ts'
import { m } from '../../texts/compiled/messages.js'

/** The name and the address of an engine, as staff enter them. */
export type EngineValues = { readonly name: string; readonly url: string }

type Props = {
  values: EngineValues
  error: Error | null
  onChange: (values: EngineValues) => void
}

export function EngineFields({ values, error, onChange }: Props) {
  const failure = error ? asFailure(error) : undefined
  return (
    <>
      <TextInput
        label={m.desk_engines_name()}
        required
        value={values.name}
        error={failure?.about('name')}
        onChange={({ currentTarget }) => onChange({ ...values, name: currentTarget.value })}
      />
      <TextInput
        label={m.desk_engines_address()}
        description={m.desk_engines_address_hint()}
        required
        value={values.url}
        error={failure?.about('url')}
        onChange={({ currentTarget }) => onChange({ ...values, url: currentTarget.value })}
      />
    </>
  )
}
