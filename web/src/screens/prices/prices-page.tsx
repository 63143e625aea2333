import { Fragment, useEffect } from 'react'
import { PlainFrame } from '../../components/layout/plain-frame.tsx'
import { dashboardPath, registerPath } from '../../paths.ts'
import { useLanguage } from '../../stores/language.ts'
import { accessToken } from '../../stores/session.ts'
import { m } from '../../texts/compiled/messages.js'
import { useRunning } from '../../ui/loading/running.ts'
import { setTitle } from '../../ui/title.ts'
import { useChoice } from './choice.ts'
import { Offered } from './offered.tsx'
import { useOffers } from './offers.ts'
import classes from './prices.module.css'

/** The next step: those who are signed in have an account already. */
function Onward() {
  const isSignedIn = useRunning() && accessToken() !== undefined
  return (
    <p className={classes.foot}>
      {isSignedIn ? (
        <a className={classes.button} href={dashboardPath}>
          {m.to_dashboard()}
        </a>
      ) : (
        <a className={classes.button} href={registerPath}>
          {m.register_title()}
        </a>
      )}
    </p>
  )
}

/** The public prices; signed-in people see their own. */
export function PricesPage() {
  const language = useLanguage()
  const { chosen, choose } = useChoice()
  const { offers, failure, retry } = useOffers(chosen)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new language changes the title too.
  useEffect(() => setTitle(`${m.prices_title()} · ${m.brand()}`), [language])
  const { own = {}, found } = chosen ?? {}
  // Refused parameters would fail again, so a retry resets them.
  const onRetry = () => (failure?.status === 422 ? choose({}) : retry())
  return (
    // Texts are read while rendering, so a new language remounts the tree.
    <Fragment key={language}>
      <a className="skip" href="#main">
        {m.skip_to_content()}
      </a>
      <PlainFrame wide>
        <div className={classes.page}>
          <header>
            <h1 tabIndex={-1}>{m.prices_title()}</h1>
            <p className={classes.quiet}>{m.prices_lead()}</p>
          </header>
          <Offered
            offers={offers}
            failure={failure}
            onRetry={onRetry}
            own={own}
            country={own.country ?? found}
            choose={choose}
          />
          <Onward />
        </div>
      </PlainFrame>
    </Fragment>
  )
}
