import { Checkbox } from '@mantine/core'
import type { Allow } from '@portico/contract/permission-object.ts'
import '../../ui/styles/checkbox.ts'
import classes from './permission-fields.module.css'

type Props = {
  label: string
  text?: string
  value: Allow
  disabled?: boolean
  onChange: (allow: Allow) => void
}

/** A permission that is allowed or denied, with its explanation. */
export function AllowBox({ label, text, value, disabled = false, onChange }: Props) {
  return (
    <Checkbox
      label={label}
      description={text}
      classNames={{ description: classes.text ?? '' }}
      checked={value === 'allowed'}
      disabled={disabled}
      onChange={(event) => onChange(event.currentTarget.checked ? 'allowed' : 'denied')}
    />
  )
}
