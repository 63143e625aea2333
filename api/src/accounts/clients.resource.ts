import { clients } from '@portico/contract/resources/clients.ts'
import { sql } from 'kysely'
import { reason } from '#platform/errors/problem.ts'
import { everyone, own, type Rule } from '#platform/jsonapi/declare/policy.ts'
import { serve } from '#platform/jsonapi/declare/serve.ts'
import { ownsGrant } from '#sharing/reach.ts'
import { allStaff, staffOf } from '#staff/roles.ts'
import { staffSees } from '#staff/ticket-visibility.ts'
import { chooseProject, negativeDays } from './clients.ts'
import { changeCurrency, currencyChoice } from './currency.ts'
import { acceptTerms } from './texts/acceptances.ts'
import { countWaiting } from './waiting.ts'

/** Oneself, and the two parties of a permission, so that each knows the other. Staff see their clients. */
const acquainted: Rule<'clients'> = {
  ...own('clients.id'),
  // Owners see their guests too, without being guests themselves.
  guestsOnly: false,
  shared: (actor) => sql`(${ownsGrant('clients.id', actor)} or exists (select from share_permissions s
    where s.inviting_client_id = ${actor.id} and s.invited_client_id = clients.id and s.revoked_at is null))`,
  staff: (staff) => sql`exists (select from tickets t
    where clients.id in (t.client_id, t.opened_by_client_id) and ${staffSees('t', staff)})`,
}

export default serve(clients, {
  table: 'clients',
  policy: {
    read: acquainted,
    part: {
      whole: own('clients.id'),
      fields: ['first_name', 'last_name', 'email'],
      concerns: (actor, account) => account !== actor.id,
    },
    update: own('clients.id'),
    updateCurrentProject: own('clients.id'),
    acceptTerms: own('clients.id'),
    waiting: { ...everyone, ...staffOf(...allStaff) },
    currencyChoice: own('clients.id'),
    changeCurrency: own('clients.id'),
    checkNegativeNumberOfDays: own('clients.id'),
  },
  account: 'id',
  relationships: {
    clientEntity: { inverse: 'client_id' },
    accountBalance: { inverse: 'client_id' },
    billingProfile: { inverse: 'client_id' },
    currentProject: 'current_project_id',
    currency: 'currency_id',
    projects: { foreignKey: 'client_id' },
    panels: { foreignKey: 'client_id' },
  },
  filters: { client_id: 'id' },
  constraints: {
    clients_language_id_fkey: { field: 'language_id', refusal: reason('language_unknown') },
  },
  actions: {
    updateCurrentProject: (context, { row, input }) => chooseProject(context, row, input.current_project_id),
    acceptTerms,
    waiting: countWaiting,
    currencyChoice: (context, { row }) => currencyChoice(context, row.id),
    changeCurrency,
    checkNegativeNumberOfDays: async (context, { row }) => ({ days: await negativeDays(context, row.id) }),
  },
})
