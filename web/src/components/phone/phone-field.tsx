import { TextInput, type TextInputProps } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type ChangeEvent, type FocusEvent, type RefObject, useEffect, useRef, useState } from 'react'
import { countriesQuery } from '../../api/queries/countries.ts'
import { m } from '../../texts/compiled/messages.js'
import { chunk } from '../../ui/loading/chunk.ts'
import { LateMenu } from '../../ui/loading/late-menu.tsx'
import { CountryFace } from './country-face.tsx'
import type * as Numbers from './numbers.ts'

type Plans = typeof Numbers
let loaded: Plans | undefined

// Numbering plans are larger than most pages, so they load when the field gets the focus.
async function load(): Promise<Plans> {
  loaded ??= await chunk(() => import('./numbers.ts'))
  return loaded
}

/** The fault of a typed number; undefined while the numbering plans are not loaded. */
export const phoneFault = (text: string): string | undefined =>
  text !== '' && loaded && !loaded.isNumber(text) ? m.fault_phone() : undefined

/** The maximum length on the wire. */
const longest = 25

/** Width for the letters of a country and the longest dial code. */
const countryWidth = 76

/** The country of a number without a dial code until the likely one is known; and its dial code. */
const usual = { code: 'US', dial: '+1' } as const

type Known = { code: string; dial_code: string }

/** The country of a number whose dial code is unique. */
function soleCountry(text: string, countries: readonly Known[]): string | undefined {
  const fitting = countries.filter(({ dial_code }) => text.startsWith(`+${dial_code}`))
  return fitting.length === 1 ? fitting[0]?.code : undefined
}

/** The country of a number's prefix, without any numbering plan. */
function useFirstCountry(first: string) {
  const { data: countries } = useQuery(countriesQuery)
  const [address, setAddress] = useState<string>()
  useEffect(() => {
    const ask = async () => setAddress(await (await import('./default-country.ts')).likelyCountry())
    if (first === '') ask().catch(() => undefined)
  }, [first])
  const ofAddress = countries?.find(({ code }) => code === address)?.code
  const code = first === '' ? (ofAddress ?? usual.code) : soleCountry(first, countries ?? [])
  const dialOf = (wanted: string) => {
    const known = countries?.find((one) => one.code === wanted)
    if (known) return `+${known.dial_code}`
    return wanted === usual.code ? usual.dial : ''
  }
  return { code, dialOf, needsPlans: countries !== undefined && code === undefined }
}

function useNumber(
  value: string,
  onChange: (value: string) => void,
  field: RefObject<HTMLInputElement | null>,
) {
  const [plans, setPlans] = useState(loaded)
  const [first] = useState(value)
  const [chosen, setChosen] = useState<string>()
  const begin = useFirstCountry(first)
  const needsPlans = begin.needsPlans && !plans
  const wake = () => {
    // Without the plans it is a plain field, which the server validates anyway.
    if (!plans) load().then(setPlans, () => undefined)
  }
  useEffect(() => {
    if (needsPlans) load().then(setPlans, () => undefined)
  }, [needsPlans])
  const guess = chosen ?? begin.code ?? usual.code
  const countryBy = (arrived: Plans) =>
    arrived.countryOf(value, arrived.isCountry(guess) ? guess : usual.code)
  const country = plans ? countryBy(plans) : usual.code
  const settleBy = (arrived: Plans) => {
    const text = arrived.formatted(value, countryBy(arrived))
    // The text may have changed while the plans were loading.
    if (text !== value && field.current?.value === value) onChange(text)
  }
  return {
    plans,
    country,
    shown: plans ? country : (chosen ?? begin.code),
    dial: plans ? plans.dialOf(country) : begin.dialOf(guess),
    wake,
    type: (text: string) => {
      setChosen(plans ? plans.countryOf(text, country) : guess)
      onChange(text)
    },
    settle: () => {
      if (plans) settleBy(plans)
      else load().then(settleBy, () => undefined)
    },
    choose: (code: Numbers.CountryCode) => {
      setChosen(code)
      load().then(
        (arrived) => {
          setPlans(arrived)
          onChange(arrived.movedTo(value, country, code))
        },
        () => undefined,
      )
    },
  }
}

type Props = Omit<TextInputProps, 'value' | 'onChange' | 'type'> & {
  value: string
  onChange: (value: string) => void
}

/** A phone number of any country, with an optional extension; a valid one is formatted internationally. */
export function PhoneField({ value, onChange, onFocus, onBlur, ...props }: Props) {
  const field = useRef<HTMLInputElement>(null)
  const { country, shown, dial, wake, type, settle, choose } = useNumber(value, onChange, field)
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
      wrapperProps={{ onPointerEnter: wake }}
      onFocus={(event: FocusEvent<HTMLInputElement>) => {
        wake()
        onFocus?.(event)
      }}
      onBlur={(event: FocusEvent<HTMLInputElement>) => {
        settle()
        onBlur?.(event)
      }}
      // Enter submits the form without a blur.
      onKeyDown={(event) => event.key === 'Enter' && settle()}
      leftSectionWidth={countryWidth}
      leftSectionPointerEvents="all"
      leftSection={
        shown !== undefined && (
          <LateMenu
            load={async () => (await import('./country-menu.tsx')).CountryMenu}
            of={{
              country,
              onChoose: (chosen) => {
                choose(chosen)
                field.current?.focus()
              },
            }}
          >
            <CountryFace country={shown} dial={dial} />
          </LateMenu>
        )
      }
    />
  )
}
