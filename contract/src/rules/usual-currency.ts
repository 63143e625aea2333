const euroArea = 'AT BE BG CY DE EE ES FI FR GR HR IE IT LT LU LV MT NL PT SI SK'.split(' ')

/** The currency that people of a country expect; where the portal does not sell in it, it is the first that it does. */
export function usualCurrency(country: string | null): string {
  if (country === 'RO') return 'RON'
  return country !== null && euroArea.includes(country) ? 'EUR' : 'USD'
}
