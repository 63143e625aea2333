import type { ComponentProps } from 'react'
import { useLanguage } from '../../stores/language.ts'
import { m } from '../../texts/compiled/messages.js'
import classes from './phone-field.module.css'

type Props = ComponentProps<'button'> & { country: string; dial: string }

/** The country of a number with its dial code, as a button. */
export function CountryFace({ country, dial, ...button }: Props) {
  const name = new Intl.DisplayNames(useLanguage(), { type: 'region' }).of(country) ?? country
  return (
    <button
      type="button"
      className={classes.country}
      aria-haspopup="listbox"
      // The accessible name contains the visible text and the country's full name.
      aria-label={m.phone_country({ name, seen: `${country} ${dial}` })}
      {...button}
    >
      {country} <span>{dial}</span>
    </button>
  )
}
