import type { Failure } from '../../api/failure.ts'
import { inWords } from '../../api/refusal-words.ts'
import { quantity } from '../../components/money/figures.ts'
import { language } from '../../stores/language.ts'
import { m } from '../../texts/compiled/messages.js'
import { Empty } from '../../ui/empty.tsx'
import { IconAlert } from '../../ui/icons.tsx'
import { Bone } from '../../ui/loading/bones.tsx'
import { type Choosing, Controls } from './controls.tsx'
import type { Offers } from './offers.ts'
import { Plans } from './plans.tsx'
import classes from './prices.module.css'

/** Why there are no prices, and a button to ask again. */
function Failed({ failure, onRetry }: { failure: Failure; onRetry: () => void }) {
  const { requestId } = failure
  const text = [inWords(failure), requestId && m.error_request({ id: requestId })].filter(Boolean).join('\n')
  return (
    <div role="alert" className="card">
      <Empty icon={<IconAlert size={20} />} title={m.load_failed()} text={text}>
        <button type="button" className={classes.button} onClick={onRetry}>
          {m.retry()}
        </button>
      </Empty>
    </div>
  )
}

/** For whom the prices with VAT are. */
function vatNote({ vat }: Offers, country: string | undefined): string {
  if (vat === null || country === undefined) return m.prices_vat()
  const name = new Intl.DisplayNames(language(), { type: 'region' }).of(country) ?? country
  return vat.rate > 0
    ? m.prices_vat_consumer({ country: name, rate: quantity(vat.rate) })
    : m.prices_vat_none({ country: name })
}

type Props = Choosing & {
  offers: Offers | undefined
  failure: Failure | undefined
  onRetry: () => void
}

/** The offers, or why they are not there. */
export function Offered({ offers, failure, onRetry, ...choosing }: Props) {
  if (failure !== undefined) return <Failed failure={failure} onRetry={onRetry} />
  if (offers === undefined)
    return (
      <div className={classes.cards} aria-busy="true">
        {[1, 2, 3, 4].map((key) => (
          <div key={key} className={`card ${classes.card}`}>
            <Bone width="40%" height={20} />
            <Bone width="60%" height={28} />
            <Bone height={120} />
          </div>
        ))}
      </div>
    )
  return (
    <>
      {offers.plans.length > 0 && <Controls offers={offers} {...choosing} />}
      <Plans offers={offers} />
      {offers.plans.length > 0 && <p className={classes.quiet}>{vatNote(offers, choosing.country)}</p>}
    </>
  )
}
