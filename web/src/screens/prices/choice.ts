import { useEffect, useState } from 'react'
import { countryOfAddress } from '../../components/phone/default-country.ts'

/** The currency of the prices, and the country whose VAT is added. */
export type Choice = { readonly currency?: string; readonly country?: string }

/** How long the prices wait for the visitor's country, in milliseconds; without it they come without VAT. */
const patienceMs = 1_500

const noAnswer = () => new Promise<undefined>((resolve) => setTimeout(resolve, patienceMs))

const names = ['currency', 'country'] as const

/** The choice that the address of the page holds. */
function readAddress(): Choice {
  const search = new URLSearchParams(location.search)
  return Object.fromEntries(names.flatMap((name) => (search.get(name) ? [[name, search.get(name)]] : [])))
}

/** The address of the page with a choice. */
export function addressOf(choice: Choice): string {
  const search = new URLSearchParams(names.flatMap((name) => (choice[name] ? [[name, choice[name]]] : [])))
  return search.size === 0 ? location.pathname : `?${search}`
}

/** The choice of the person, and the country of their address. */
export type Chosen = { readonly own: Choice; readonly found: string | undefined }

/** The choice that the address holds, and the visitor's country where it holds none; undefined while that is looked up. */
export function useChoice() {
  const [chosen, setChosen] = useState<Chosen>()
  useEffect(() => {
    const own = readAddress()
    if (own.country !== undefined) return setChosen({ own, found: undefined })
    void Promise.race([countryOfAddress(), noAnswer()]).then((found) => setChosen({ own, found }))
  }, [])
  const choose = (own: Choice) => {
    history.replaceState(history.state, '', addressOf(own))
    setChosen((before) => ({ own, found: before?.found }))
  }
  return { chosen, choose }
}
