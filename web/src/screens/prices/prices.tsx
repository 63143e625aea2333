import { keepPreviousData, QueryClientProvider, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ActionOf, Output } from '../../api/actions.ts'
import { queryClient } from '../../api/client.ts'
import { action } from '../../api/query.ts'
import { useParameter } from '../../components/guest/search.ts'
import { Loaded } from '../../components/loaded.tsx'
import { hourlyRate } from '../../components/money/figures.ts'
import { type Offer, planDescription, planLimits, planName } from '../../components/plans/words.ts'
import { href } from '../../routes.ts'
import { language } from '../../stores/language.ts'
import { m } from '../../texts/compiled/messages.js'
import { dayInWords } from '../../ui/days.ts'
import { Empty } from '../../ui/empty.tsx'
import { money } from '../../ui/format.ts'
import { IconPanel } from '../../ui/icons.tsx'
import classes from './prices.module.css'

type Offers = Output<ActionOf<'plans', 'offers'>>

const kinds = [
  ['web_hosting', m.plan_kind_web_hosting],
  ['server', m.plan_kind_server],
  ['cluster', m.plan_kind_cluster],
  ['other', m.plan_kind_other],
] as const

/** The price of a plan, and the announced next price if there is one. */
function Price({ plan: { monthly, daily, hourly, next }, currency }: { plan: Offer; currency: string }) {
  if (monthly === null || daily === null || hourly === null) return null
  return (
    <>
      <p className={classes.price}>{m.plan_monthly({ price: money(monthly, currency) })}</p>
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

function Card({ plan, currency }: { plan: Offer; currency: string }) {
  const description = planDescription(plan)
  return (
    <article className={`card ${classes.card}`} aria-label={planName(plan)}>
      <h3>{planName(plan)}</h3>
      {description !== '' && <p className={classes.quiet}>{description}</p>}
      <Price plan={plan} currency={currency} />
      <ul>
        {planLimits(plan).map((limit) => (
          <li key={limit}>{limit}</li>
        ))}
      </ul>
      {!plan.available && <p className={classes.quiet}>{m.plan_unavailable()}</p>}
    </article>
  )
}

/** The currencies to read the prices in; the address keeps the choice. */
function Currencies({ offers }: { offers: Offers }) {
  if (offers.currencies.length < 2) return null
  return (
    <nav aria-label={m.currency()} className={classes.currencies}>
      {offers.currencies.map((code) => (
        <Link
          key={code}
          to={href('prices')}
          search={{ currency: code }}
          replace
          aria-current={code === offers.currency ? 'true' : undefined}
        >
          {code}
        </Link>
      ))}
    </nav>
  )
}

function Plans({ offers }: { offers: Offers }) {
  if (offers.plans.length === 0)
    return (
      <div className="card">
        <Empty icon={<IconPanel size={20} />} title={m.prices_none_title()} text={m.prices_none_text()} />
      </div>
    )
  return (
    <>
      <Currencies offers={offers} />
      {kinds.map(([kind, title]) => {
        const plans = offers.plans.filter((plan) => plan.kind === kind)
        if (plans.length === 0) return null
        return (
          <section key={kind} className={classes.kind}>
            <h2>{title()}</h2>
            <div className={classes.cards}>
              {plans.map((plan) => (
                <Card key={plan.code} plan={plan} currency={offers.currency} />
              ))}
            </div>
          </section>
        )
      })}
      <p className={classes.quiet}>{m.prices_vat()}</p>
    </>
  )
}

/** The offers in the currency of the address. */
function Offered() {
  const currency = useParameter('currency')
  const offers = useQuery({
    ...action('plans', 'offers', { payload: currency === undefined ? {} : { currency } }),
    placeholderData: keepPreviousData,
  })
  return (
    <Loaded query={offers} rows={6}>
      {(data) => <Plans offers={data} />}
    </Loaded>
  )
}

/** The public prices; signed-in people see their own. */
export default function PricesScreen() {
  return (
    <div className={classes.page}>
      <header>
        <h1 tabIndex={-1}>{m.prices_title()}</h1>
        <p className={classes.quiet}>{m.prices_lead()}</p>
      </header>
      <QueryClientProvider client={queryClient}>
        <Offered />
      </QueryClientProvider>
      <p className={classes.foot}>
        <a href={href('register')}>{m.register_title()}</a>
      </p>
    </div>
  )
}
