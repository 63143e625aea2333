import type { OfStaff } from '../../components/thread/composer.tsx'
import classes from '../../components/thread/thread.module.css'
import { Kind } from './kind.tsx'
import { MacroLine } from './macro-line.tsx'
import { ReadyAnswers } from './ready-answers.tsx'
import { beneath } from './ready-text.ts'
import { useWriting } from './writers.tsx'

const Kinds: OfStaff['Kinds'] = ({ ticket, body, isNote, setIsNote, write }) => {
  useWriting(ticket.id, body)
  return (
    <div className={classes.kinds}>
      <Kind isNote={isNote} setIsNote={setIsNote} />
      <ReadyAnswers ticket={ticket} onPick={(text, macro) => write(beneath(body, text), macro)} />
    </div>
  )
}

/** What staff have in the composer besides the client. */
export const ofStaff: OfStaff = { Kinds, MacroLine }
