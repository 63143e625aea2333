import { Input, SegmentedControl } from '@mantine/core'
import type { Level } from '@portico/contract/permission-object.ts'
import { useId } from 'react'
import '../../ui/styles/segmented.ts'
import { m } from '../../texts/compiled/messages.js'

const names: Record<Level, () => string> = { none: m.level_none, custom: m.level_custom, all: m.level_all }

type Props = {
  label: string
  /** The whole of something that one does not count is full rather than all. */
  full?: boolean
  levels?: readonly Level[]
  value: Level
  disabled?: boolean
  onChange: (level: Level) => void
}

/** How much of something is opened. */
export function LevelField({
  label,
  full = false,
  levels = ['none', 'custom', 'all'],
  value,
  disabled = false,
  onChange,
}: Props) {
  const id = useId()
  // What is there already can be shown, also where it is no longer offered.
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
