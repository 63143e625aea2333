import type { Row } from '../../api/rows.ts'
import { saidInWords } from '../../components/panel-reason.ts'

/** The reasons that the engine gives for a panel's state; its own words are English. */
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
