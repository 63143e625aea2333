import { useQuery } from '@tanstack/react-query'
import { explained, type Narrowing } from '../../api/queries/usage.ts'
import { Bone } from '../../ui/loading/bones.tsx'
import { useSearchState } from '../table/search-state.ts'
import classes from './why.module.css'
import { WhyParts } from './why-parts.tsx'
import { questionOf } from './words.ts'

type Props = { narrowing: Narrowing; month: string }

/** Why a month costs more or less than the one before, folded behind the question. */
export function WhyMonth({ narrowing, month }: Props) {
  const [given, change] = useSearchState()
  const { data, isPending } = useQuery(explained(narrowing, month))
  if (isPending) return <Bone height={58} />
  // Without an answer the page is complete all the same.
  if (!data || (data.now === 0 && data.before === 0)) return null
  const question = questionOf(data)
  if (data.parts.length === 0) return <p className={`card ${classes.none}`}>{question}</p>
  return (
    <details
      className={`card ${classes.why}`}
      open={given.why !== undefined}
      onToggle={({ currentTarget: { open } }) => {
        if (open !== (given.why !== undefined)) change({ why: open ? 1 : undefined })
      }}
    >
      <summary>
        <h2>{question}</h2>
      </summary>
      <WhyParts explanation={data} search={given} />
    </details>
  )
}
