import type { Row } from '../../api/rows.ts'
import { m } from '../../texts/compiled/messages.js'
import { priorities } from './priorities.ts'
import { departmentName } from './words.tsx'

type Macro = Pick<Row<'canned-answers', 'moveTo'>, 'priority' | 'hold' | 'tags' | 'moveTo'>

/** What a ready answer does besides, in words; empty for one that only says something. */
export const macroWords = ({ priority, hold, tags = [], moveTo }: Macro): string =>
  [
    priority && priorities[priority]?.(),
    ...tags.map((tag) => `#${tag}`),
    moveTo && m.macro_moves({ department: departmentName(moveTo) }),
    hold && m.macro_hold(),
  ]
    .filter(Boolean)
    .join(' · ')
