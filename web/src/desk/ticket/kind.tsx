import { SegmentedControl } from '@mantine/core'
import { m } from '../../texts/compiled/messages.js'
import '../../ui/styles/segmented.ts'

/** Chooses what to write: an answer, or a note that only staff reads. */
export function Kind({ isNote, setIsNote }: { isNote: boolean; setIsNote: (isNote: boolean) => void }) {
  return (
    <SegmentedControl
      aria-label={m.ticket_kind()}
      data={[
        { value: 'answer', label: m.ticket_answer() },
        { value: 'note', label: m.ticket_note() },
      ]}
      value={isNote ? 'note' : 'answer'}
      onChange={(value) => setIsNote(value === 'note')}
    />
  )
}
