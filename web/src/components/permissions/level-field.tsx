import { Input, SegmentedControl } from '@mantine/core'
import type { Level } from '@portico/contract/permission-object.ts'
import { useId } from 'react'
import '../../ui/styles/segmented.ts'
import { m } from '../../texts/compiled/messages.js'

const names: Record<Level, () => string> = { none: m.level_none, custom: m.level_custom, all: m.level_all }

type Props = {
  label: string
  /** The top level of something that is not counted is called full instead of all. */
  full?: boolean
  levels?: readonly Level[]
  value: Level
  disabled?: boolean
  onChange: (level: Level) => void
}

/** A choice of how much is shared. */
export function LevelField({
  label,
  full = false,
  levels = ['none', 'custom', 'all'],
  value,
  disabled = false,
  onChange,
}: Props) {
  const id = useId()
  // The current level stays visible even if it is no longer offered.
  const shown = levels.includes(value) ? levels : [...levels, value]
  return (
    <div>
      <Input.Label id={id} component="span" display="block" mb={4}>
        {label}
      </Input.Label>
      <SegmentedControl
        fullWidth
        disabled={disabled}
        aria-labelledby={id}
        data={shown.map((level) => ({
          value: level,
          label: level === 'all' && full ? m.level_full() : names[level](),
        }))}
        value={value}
        onChange={onChange}
      />
    </div>
  )
}
