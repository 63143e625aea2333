import type { Row } from '../../api/rows.ts'
import { saidInWords } from '../../components/panel-reason.ts'

/** What the engine says of a panel; its own words are English. */
export function Reasons({ reasons = [] }: Partial<Pick<Row<'panels'>, 'reasons'>>) {
  return reasons.map(({ code, since, text }, place) => (
    <div key={`${code} ${since} ${String(place)}`}>
      {saidInWords(code)}
      {text && (
        <>
          {': '}
          <span lang="en">{text}</span>
        </>
      )}
    </div>
  ))
}
