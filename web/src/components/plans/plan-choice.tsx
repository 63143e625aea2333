import { language } from '../../stores/language.ts'
import { m } from '../../texts/compiled/messages.js'
import { dayInWords } from '../../ui/days.ts'
import { money } from '../../ui/format.ts'
import classes from './plan-choice.module.css'
import { type Offer, planDescription, planLimits, planName } from './words.ts'

type Props = {
  plans: readonly Offer[]
  currency: string
  value: string
  fault: string | undefined
  onChange: (code: string) => void
}

/** The monthly price of a plan, unless the guest may not see prices. */
function Price({ plan, currency }: { plan: Offer; currency: string }) {
  if (plan.monthly === null) return null
  return <span className={classes.price}>{m.plan_monthly({ price: money(plan.monthly, currency) })}</span>
}

function Fault({ children }: { children: string | undefined }) {
  if (children === undefined) return null
  return (
    <p role="alert" className={classes.fault}>
      {children}
    </p>
  )
}

/** Cards of which one is chosen, with the keys of a radio group. */
export function PlanChoice({ plans, currency, value, fault, onChange }: Props) {
  return (
    <fieldset className={classes.choice}>
      <legend>{m.plan_choose()}</legend>
      <div className={classes.cards}>
        {plans.map((plan) => (
          <label key={plan.code} className={classes.card}>
            <span className={classes.head}>
              <input
                data-autofocus={plan.code === value || undefined}
                type="radio"
                name="plan"
                value={plan.code}
                checked={plan.code === value}
                disabled={!plan.available}
                onChange={() => onChange(plan.code)}
              />
              <span className={classes.name}>{planName(plan)}</span>
              <Price plan={plan} currency={currency} />
            </span>
            <span className={classes.about}>
              {planDescription(plan)} {!plan.available && m.plan_unavailable()}
              {plan.next && (
                <span className={classes.next}>
                  {m.plan_next({
                    date: dayInWords(plan.next.from, language()),
                    price: money(plan.next.monthly, currency),
                  })}
                </span>
              )}
              <span className={classes.limits}>
                {planLimits(plan).map((limit) => (
                  <span key={limit}>{limit}</span>
                ))}
              </span>
            </span>
          </label>
        ))}
      </div>
      <Fault>{fault}</Fault>
    </fieldset>
  )
}

type RegionProps = {
  regions: readonly string[]
  value: string
  fault: string | undefined
  onChange: (region: string) => void
}

/** The places where panels of the plan are made. */
export function RegionChoice({ regions, value, fault, onChange }: RegionProps) {
  return (
    <fieldset className={classes.choice}>
      <legend>{m.column_region()}</legend>
      <div className={classes.regions}>
        {regions.map((region) => (
          <label key={region} className={classes.region}>
            <input
              type="radio"
              name="region"
              value={region}
              checked={region === value}
              onChange={() => onChange(region)}
            />
            {region}
          </label>
        ))}
      </div>
      <Fault>{fault}</Fault>
    </fieldset>
  )
}
