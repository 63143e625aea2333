import { hourlyRate, quantity } from '../../components/money/figures.ts'
import { type Offer, planDescription, planLimits, planName } from '../../components/plans/words.ts'
import { language } from '../../stores/language.ts'
import { m } from '../../texts/compiled/messages.js'
import { dayInWords } from '../../ui/days.ts'
import { Empty } from '../../ui/empty.tsx'
import { money } from '../../ui/format.ts'
import { IconPanel } from '../../ui/icons.tsx'
import type { Offers } from './offers.ts'
import classes from './prices.module.css'

const kinds = [
  ['web_hosting', m.plan_kind_web_hosting],
  ['server', m.plan_kind_server],
  ['cluster', m.plan_kind_cluster],
  ['other', m.plan_kind_other],
] as const

type PlanProps = { plan: Offer; offers: Offers }

/** The price of a plan without and with VAT, and the announced next price if there is one. */
function Price({ plan: { monthly, monthly_gross, daily, hourly, next }, offers }: PlanProps) {
  const { currency, vat } = offers
  if (monthly === null || daily === null || hourly === null) return null
  return (
    <>
      <p className={classes.price}>{m.plan_monthly({ price: money(monthly, currency) })}</p>
      {vat !== null && vat.rate > 0 && monthly_gross !== null && (
        <p className={classes.gross}>
          {m.plan_with_vat({ gross: money(monthly_gross, currency), rate: quantity(vat.rate) })}
        </p>
      )}
      <p className={classes.quiet}>
        {m.plan_about({ daily: money(daily, currency), hourly: hourlyRate(hourly, currency) })}
      </p>
      {next !== null && (
        <p className={classes.quiet}>
          {m.plan_next({ date: dayInWords(next.from, language()), price: money(next.monthly, currency) })}
        </p>
      )}
    </>
  )
}

function Card({ plan, offers }: PlanProps) {
  const description = planDescription(plan)
  return (
    <article className={`card ${classes.card}`} aria-label={planName(plan)}>
      <h3>{planName(plan)}</h3>
      {description !== '' && <p className={classes.quiet}>{description}</p>}
      <Price plan={plan} offers={offers} />
      <ul>
        {planLimits(plan).map((limit) => (
          <li key={limit}>{limit}</li>
        ))}
      </ul>
      {!plan.available && <p className={classes.quiet}>{m.plan_unavailable()}</p>}
    </article>
  )
}

/** The plans of an answer, by their kind. */
export function Plans({ offers }: { offers: Offers }) {
  if (offers.plans.length === 0)
    return (
      <div className="card">
        <Empty icon={<IconPanel size={20} />} title={m.prices_none_title()} text={m.prices_none_text()} />
      </div>
    )
  return (
    <div className={classes.kinds}>
      {kinds.map(([kind, title]) => {
        const plans = offers.plans.filter((plan) => plan.kind === kind)
        if (plans.length === 0) return null
        return (
          <section key={kind} className={classes.kind}>
            <h2>{title()}</h2>
            <div className={classes.cards}>
              {plans.map((plan) => (
                <Card key={plan.code} plan={plan} offers={offers} />
              ))}
            </div>
          </section>
        )
      })}
    </div>
  )
}
