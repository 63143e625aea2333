import type { Row } from '../../api/rows.ts'
import { saidInWords } from '../../components/panel-reason.ts'

/** The reasons that the engine gives for a panel's state, with the server they are of; its own words are English. */
export function Reasons({ reasons = [] }: Partial<Pick<Row<'panels'>, 'reasons'>>) {
  return reasons.map(({ code, since, resource, text }, place) => (
    <div key={`${code} ${since} ${String(place)}`}>
      {[saidInWords(code), resource].filter(Boolean).join(' · ')}
      {text && (
        <>
          {': '}
          <span lang="en">{text}</span>
        </>
      )}
    </div>
  ))
}
