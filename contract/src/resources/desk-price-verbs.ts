import { noInput } from '../fields.ts'
import { action } from '../jsonapi.ts'
import { chosenCurrency, currencyChoice } from './clients.ts'

/** The verbs of staff about the prices of a client. */
export const priceVerbs = {
  currencyChoice: action({
    method: 'GET',
    on: 'one',
    description: 'As `currencyChoice` of clients.',
    input: noInput,
    output: currencyChoice,
  }),
  changeCurrency: action({
    method: 'POST',
    on: 'one',
    description:
      'Changes the currency of an account in which nothing is kept yet, as its owner can themselves: `currency_fixed_by_…` names what is. `client_closed`, `currency_not_offered`. Needs a recent sign-in.',
    input: chosenCurrency,
    output: chosenCurrency,
  }),
}
