import { useQuery } from '@tanstack/react-query'
import { action } from '../../api/query.ts'
import { m } from '../../texts/compiled/messages.js'
import { Status } from '../../ui/status.tsx'
import classes from './vat.module.css'
import { countryName, gapTexts } from './words.ts'

/** Cases that the tax rules do not support for the operator. */
export function TaxGaps() {
  const { data } = useQuery(action('vat-rates', 'taxGaps', { payload: {} }))
  if (!data?.country || data.gaps.length === 0) return null
  return (
    <section className={`card ${classes.gaps}`} aria-labelledby="tax-gaps">
      <h2 id="tax-gaps">{m.desk_tax_gaps_title({ country: countryName(data.country) })}</h2>
      <ul>
        {data.gaps.map(({ code, stops }) => (
          <li key={code}>
            <Status tone={stops ? 'bad' : 'warn'}>
              {stops ? m.desk_tax_gap_stops() : m.desk_tax_gap_limits()}
            </Status>
            <span>{gapTexts[code]()}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}
