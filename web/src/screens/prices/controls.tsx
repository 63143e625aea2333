import type { MouseEvent } from 'react'
import { language } from '../../stores/language.ts'
import { m } from '../../texts/compiled/messages.js'
import { addressOf, type Choice } from './choice.ts'
import type { Offers } from './offers.ts'
import classes from './prices.module.css'

export type Choosing = {
  /** The choice in the address. */
  own: Choice
  /** The country of the VAT, chosen or found. */
  country: string | undefined
  choose: (choice: Choice) => void
}

type Props = Choosing & { offers: Offers }

/** Whether a click stays on this page; other clicks open a new tab or window. */
const isPlain = ({ button, metaKey, ctrlKey, shiftKey, altKey }: MouseEvent) =>
  button === 0 && !metaKey && !ctrlKey && !shiftKey && !altKey

/** The currencies to read the prices in. */
function Currencies({ offers, own, choose }: Props) {
  if (offers.currencies.length < 2) return null
  return (
    <nav aria-label={m.currency()} className={classes.currencies}>
      {offers.currencies.map((currency) => (
        <a
          key={currency}
          href={addressOf({ ...own, currency })}
          aria-current={currency === offers.currency ? 'true' : undefined}
          onClick={(event) => {
            if (!isPlain(event)) return
            event.preventDefault()
            choose({ ...own, currency })
          }}
        >
          {currency}
        </a>
      ))}
    </nav>
  )
}

/** The country whose VAT is added, by its name in the reader's language. */
function Country({ offers, own, country = '', choose }: Props) {
  const names = new Intl.DisplayNames(language(), { type: 'region' })
  const countries = offers.countries
    .map((code) => ({ code, name: names.of(code) ?? code }))
    .sort((a, b) => a.name.localeCompare(b.name, language()))
  return (
    <label className={classes.country}>
      {m.prices_country()}
      <select
        value={offers.countries.includes(country) ? country : ''}
        onChange={({ currentTarget: { value } }) => choose({ ...own, country: value })}
      >
        <option value="" disabled>
          {m.prices_country_choose()}
        </option>
        {countries.map(({ code, name }) => (
          <option key={code} value={code}>
            {name}
          </option>
        ))}
      </select>
    </label>
  )
}

/** The choices of country and currency. */
export function Controls(props: Props) {
  return (
    <div className={classes.controls}>
      <Country {...props} />
      <Currencies {...props} />
    </div>
  )
}
