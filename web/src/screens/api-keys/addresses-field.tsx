import { TagsInput, type TagsInputProps } from '@mantine/core'
import { chipsOf } from '../../components/forms/chips.ts'
import { m } from '../../texts/compiled/messages.js'
import { afterPress } from '../../ui/press.ts'
import '../../ui/tags-styles.ts'

type Props = TagsInputProps & { typed: string; onTyped: (typed: string) => void }

/** Addresses and networks as chips. What is typed and not a chip yet is the form's to take with the others. */
export function AddressesField({ typed, onTyped, onChange, ...field }: Props) {
  return (
    <TagsInput
      label={m.key_addresses()}
      description={m.key_addresses_text()}
      // Of the list and not of the text beside its chips, which may be empty.
      withAsterisk
      splitChars={[',', ';', ' ']}
      comboboxProps={{ withinPortal: false }}
      searchValue={typed}
      {...field}
      // Leaving the field makes chips, which may take a line more: what is pressed meanwhile would move away and lose its click.
      onSearchChange={(text) => afterPress(() => onTyped(text))}
      // All that was typed would become one chip.
      onChange={(all) => afterPress(() => onChange?.(all.flatMap(chipsOf)))}
    />
  )
}
