import { TextInput, type TextInputProps } from '@mantine/core'
import { type ChangeEvent, type FocusEvent, useEffect, useRef, useState } from 'react'
import { m } from '../../texts/compiled/messages.js'
import { chunk } from '../../ui/chunk.ts'
import type { CountryButton } from './country-button.tsx'
import { countryOfAddress } from './default-country.ts'
import type * as Numbers from './numbers.ts'

type CountryCode = Numbers.CountryCode

type Plans = typeof Numbers & { CountryButton: typeof CountryButton }
let loaded: Plans | undefined

// Numbering plans weigh more than most pages: they come once the field is there.
async function load(): Promise<Plans> {
  loaded ??= await chunk(async () => ({
    ...(await import('./numbers.ts')),
    ...(await import('./country-button.tsx')),
  }))
  return loaded
}

/** What is wrong with a number that was typed; nothing while the numbering plans are not there. */
export const phoneFault = (text: string): string | undefined =>
  text !== '' && loaded && !loaded.isNumber(text) ? m.fault_phone() : undefined

/** As long as the wire takes them (seed, section 9). */
const longest = 25

/** Enough for the letters of a country and the longest dial code. */
const countryWidth = 76

/** Where a number belongs that says nothing of it (seed, section 2), until one's address is looked up. */
const defaultCountry: CountryCode = 'US'

function useNumber(value: string, onChange: (value: string) => void) {
  const [plans, setPlans] = useState<Plans>()
  const [country, setCountry] = useState(defaultCountry)
  const isUntouched = useRef(value === '')
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, with the number that was there at first.
  useEffect(() => {
    let here = true
    const begin = async () => {
      const arrived = await load()
      if (!here) return
      setPlans(arrived)
      if (!isUntouched.current) return setCountry((now) => arrived.countryOf(value, now))
      const code = (await countryOfAddress()) ?? ''
      if (here && isUntouched.current && arrived.isCountry(code)) setCountry(code)
    }
    // Without the plans it is a plain field, which the server checks all the same.
    begin().catch(() => undefined)
    return () => {
      here = false
    }
  }, [])
  return {
    plans,
    country,
    type: (text: string) => {
      isUntouched.current = false
      if (plans) setCountry(plans.countryOf(text, country))
      onChange(text)
    },
    settle: () => {
      const text = plans?.formatted(value, country) ?? value
      if (text !== value) onChange(text)
    },
    choose: (chosen: CountryCode) => {
      isUntouched.current = false
      setCountry(chosen)
      if (plans) onChange(plans.movedTo(value, country, chosen))
    },
  }
}

type Props = Omit<TextInputProps, 'value' | 'onChange' | 'type'> & {
  value: string
  onChange: (value: string) => void
}

/** A phone number of anywhere, with its extension if it has one; a valid one takes the international form. */
export function PhoneField({ value, onChange, onBlur, ...props }: Props) {
  const field = useRef<HTMLInputElement>(null)
  const { plans, country, type, settle, choose } = useNumber(value, onChange)
  return (
    <TextInput
      name="telephone"
      inputMode="tel"
      autoComplete="tel"
      maxLength={longest}
      {...props}
      ref={field}
      type="tel"
      value={value}
      onChange={(event: ChangeEvent<HTMLInputElement>) => type(event.currentTarget.value)}
      onBlur={(event: FocusEvent<HTMLInputElement>) => {
        settle()
        onBlur?.(event)
      }}
      // Enter submits the form, and leaves no field.
      onKeyDown={(event) => event.key === 'Enter' && settle()}
      leftSectionWidth={countryWidth}
      leftSectionPointerEvents="all"
      leftSection={
        plans && (
          <plans.CountryButton
            country={country}
            onChoose={(chosen) => {
              choose(chosen)
              field.current?.focus()
            }}
          />
        )
      }
    />
  )
}
