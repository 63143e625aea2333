import { ChipsField, type ChipsFieldProps } from '../../components/forms/chips-field.tsx'
import { m } from '../../texts/compiled/messages.js'

/** Addresses and networks as chips. */
export function AddressesField(field: ChipsFieldProps) {
  return (
    <ChipsField
      label={m.key_addresses()}
      description={m.key_addresses_text()}
      // Labels the list, because the text field next to its chips may be empty.
      withAsterisk
      {...field}
    />
  )
}
