import type { Row } from '../../api/rows.ts'
import { m } from '../../texts/compiled/messages.js'
import { priorities } from './priorities.ts'
import { departmentName } from './words.tsx'

type Macro = Pick<Row<'canned-answers', 'moveTo'>, 'priority' | 'hold' | 'tags' | 'moveTo'>

/** The actions of a ready answer, in words; empty for one that is only text. */
export const macroWords = ({ priority, hold, tags = [], moveTo }: Macro): string =>
  [
    priority && priorities[priority]?.(),
    ...tags.map((tag) => `#${tag}`),
    moveTo && m.macro_moves({ department: departmentName(moveTo) }),
    hold && m.macro_hold(),
  ]
    .filter(Boolean)
    .join(' · ')
