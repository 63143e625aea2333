import * as z from 'zod/mini'
import { leastMoney, money, moneyInput } from '../fields.ts'
import { action, resource } from '../jsonapi.ts'
import { staffRoles } from '../rules/staff-roles.ts'

const most = moneyInput({ least: leastMoney, most: 1_000_000 })

const amounts = z.object({ per_action: money, per_day: money })

export const deskLimits = resource('desk-limits', {
  description:
    'What one member of staff with a role may move by a verb without a second person, in the currency of the operator: at once, and on a day of the operator. Administrators read it.',
  attributes: {
    role: z.enum(staffRoles),
    verb: z.string(),
    per_action: money,
    per_day: money,
    currency: z.string(),
  },
  sorts: ['verb', 'role'],
  actions: {
    setLimits: action({
      method: 'POST',
      on: 'one',
      description:
        'Changes a limit. Always `second_person_required`: ask for it by `desk-requests`. `limit_day_below_action` when a day has less than one action.',
      input: z.strictObject({ per_action: most, per_day: most }),
      output: amounts,
    }),
  },
})
