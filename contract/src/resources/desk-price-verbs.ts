import * as z from 'zod/mini'
import { day, integerId, line, money, noInput } from '../fields.ts'
import { action } from '../jsonapi.ts'
import { chosenCurrency, currencyChoice } from './clients.ts'

/** What a plan would cost a panel a month, net of VAT, and when. */
export const planPreview = z.object({
  currency: z.string(),
  /** `before` is null for a panel without a plan. */
  monthly: z.object({ before: z.nullable(money), after: money }),
  /** A plan that costs more a day begins after the notice of dearer prices. */
  earliest: day,
  latest: day,
  /** What staff have planned for the panel already; it is replaced. */
  planned: z.nullable(z.object({ plan: z.string(), starts_on: day })),
})

const planOfPanel = { panel_id: integerId, plan: line(40) }

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
  previewPlan: action({
    method: 'GET',
    on: 'one',
    description: 'What `assignPlan` would do. Refused like it.',
    input: z.strictObject(planOfPanel),
    output: planPreview,
  }),
  assignPlan: action({
    method: 'POST',
    on: 'one',
    description:
      'Gives a panel of the client a plan from a UTC day on, at the price that `expects` names: on that day its engine is asked, again and again while the panel cannot have it. The client and their billing addresses are written to at once, with the reason. The plan that the panel has ends what was planned. `plan_day_out_of_range`: a plan that costs more a day begins after the notice of dearer prices. `price_changed`, `client_panel_unknown`, and what keeps the panel from the plan, as for `changePlan` of panels. Needs a recent sign-in.',
    input: z.strictObject({
      ...planOfPanel,
      from: day,
      expects: z.strictObject({ monthly: money, currency: z.string().check(z.length(3)) }),
    }),
    output: z.object({ plan: z.string(), from: day }),
  }),
}
