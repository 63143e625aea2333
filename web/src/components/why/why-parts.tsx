import { Link } from '@tanstack/react-router'
import type { Explanation } from '../../api/queries/usage.ts'
import { href } from '../../routes.ts'
import { money } from '../../ui/format.ts'
import classes from './why.module.css'
import { linesOf, sentenceOf, sumsOf } from './words.ts'

const signed = (amount: number, currency: string): string =>
  amount > 0 ? `+${money(amount, currency)}` : money(amount, currency)

type Props = { explanation: Explanation; search: Record<string, unknown> }

/** Why two months differ: a sentence for each reason, with a link to its lines. */
export function WhyParts({ explanation, search }: Props) {
  return (
    <>
      <ul className={classes.parts}>
        {explanation.parts.map((part) => (
          <li key={[part.kind, part.panel_id, part.resource, part.meter, part.plan?.name_en].join(' ')}>
            <Link
              to={href('usages')}
              search={{ ...search, ...linesOf(part, explanation) }}
              resetScroll={false}
            >
              {sentenceOf(part, explanation)}
            </Link>
            <span className="numbers">{signed(part.amount, explanation.currency)}</span>
          </li>
        ))}
      </ul>
      <p className={classes.sums}>{sumsOf(explanation)}</p>
    </>
  )
}
