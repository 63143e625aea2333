import { deskClients } from '@portico/contract/resources/desk-clients.ts'
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { currencyChoice } from '#accounts/currency.ts'
import { adjust, goodwill } from '#money/corrections/credits.ts'
import { manualInvoice } from '#money/corrections/manual-invoice.ts'
import { reason } from '#platform/errors/problem.ts'
import { byValue } from '#platform/jsonapi/declare/by-value.ts'
import { nobody, type Rule } from '#platform/jsonapi/declare/policy.ts'
import { serve } from '#platform/jsonapi/declare/serve.ts'
import type { SymbolicStaff } from '#platform/jsonapi/declare/symbolic-actor.ts'
import { moneyStaff, moneyWriters } from '#sharing/reach.ts'
import { allStaff, notStaff, staffAlone } from '#staff/roles.ts'
import { staffAnswers, staffSees } from '#staff/ticket-visibility.ts'
import { clientConditions } from './client-conditions.ts'
import { noteWriters } from './client-notes.resource.ts'
import { listedTo, noteListed, noteLook } from './looks.ts'
import { chargeOpenBill, previewOpenBill } from './money/charge-open-bill.ts'
import { assignPlan, previewPlan } from './panels/assign-plan.ts'
import { retryPanel, syncPanel } from './panels/engine-verbs.ts'
import { resumeClient, suspendClient, terminateClient } from './panels/stop-client.ts'
import { resumePanelOf, suspendPanelOf } from './panels/stop-panel.ts'
import { terminatePanel } from './panels/terminate-panel.ts'
import { blockClient, unblockClient } from './verbs/block-client.ts'
import { changeCurrencyOf } from './verbs/change-currency.ts'
import { closeClient, eraseClient, exportData } from './verbs/end-account.ts'
import { flagClient } from './verbs/flag-client.ts'
import { giveList } from './verbs/give-list.ts'
import { endHold, holdDunning } from './verbs/hold-dunning.ts'
import { remind } from './verbs/remind.ts'
import { setTerms } from './verbs/set-terms.ts'
import { changeEmail } from './verbs/sign-in/change-email.ts'
import { confirmEmail } from './verbs/sign-in/confirm-email.ts'
import { endSessionsOfClient } from './verbs/sign-in/end-sessions.ts'
import { resendConfirmation } from './verbs/sign-in/resend-confirmation.ts'
import { resetSecondFactor } from './verbs/sign-in/reset-second-factor.ts'
import { leaveClient, seeAsClient } from './views/see-as-client.ts'

// Each column is a look-up of its own, not a join, so that the count and the search for the page do without them.
const ofBalance = (value: RawBuilder<unknown>) => () =>
  sql`(select ${value} from account_balances b where b.client_id = clients.id)`
const ofProfile = (column: string) => () =>
  sql`(select ${sql.ref(`p.${column}`)} from billing_profiles p where p.id = clients.id)`
const ofEntity = (value: RawBuilder<unknown>) => () =>
  sql`(select ${value} from client_entities e left join countries o on o.id = e.country_id where e.client_id = clients.id)`

const openTickets = (staff: SymbolicStaff | undefined) => sql`(select count(*)::int from tickets t
  where t.client_id = clients.id and t.resolved_at is null and t.closed_at is null
    and ${staff ? staffSees('t', staff) : sql<SqlBool>`false`})`

/** Those whom the owner lets see the account through a ticket that they answer, and administrators where the rule allows it. */
const viewers: Rule<'clients'> = {
  ...nobody,
  table: 'clients',
  staff: (staff) => sql`(exists (select from open_view_consents a join tickets t on t.id = a.ticket_id
      where a.client_id = clients.id and a.admin_id = ${staff.id} and ${staffAnswers('t', staff)})
    or (${staff.role} = 'admin' and exists (select from access_policies where views_without_consent)))`,
  refusal: () => reason('view_not_granted'),
}

export default serve(deskClients, {
  table: 'clients',
  ofStaff: true,
  pageFirst: true,
  present: () => notStaff('clients'),
  policy: {
    read: staffAlone(...allStaff),
    readCards: staffAlone(...moneyStaff.roles),
    readLog: staffAlone('admin'),
    note: noteWriters,
    requestProforma: staffAlone(...moneyWriters.roles),
    suspendPanel: staffAlone('support', 'admin'),
    resumePanel: staffAlone('support', 'admin'),
    terminatePanel: staffAlone('admin'),
    retryPanel: staffAlone('support', 'admin'),
    syncPanel: staffAlone('support', 'admin'),
    suspendClient: staffAlone('support', 'admin'),
    resumeClient: staffAlone('support', 'admin'),
    terminateClient: staffAlone('admin'),
    seeAsClient: viewers,
    leaveClient: staffAlone('support', 'billing', 'admin'),
    resetSecondFactor: staffAlone('admin'),
    changeEmail: staffAlone('admin'),
    endSessions: staffAlone('support', 'admin'),
    block: staffAlone('admin'),
    unblock: staffAlone('admin'),
    resendConfirmation: noteWriters,
    confirmEmail: staffAlone('admin'),
    flag: noteWriters,
    exportData: staffAlone('support', 'admin'),
    closeAccount: staffAlone('support', 'admin'),
    erase: staffAlone('admin'),
    setTerms: staffAlone('billing', 'admin'),
    holdDunning: staffAlone('billing', 'admin'),
    endHold: staffAlone('billing', 'admin'),
    remind: staffAlone('billing', 'admin'),
    giveList: staffAlone('billing', 'admin'),
    currencyChoice: staffAlone(...moneyWriters.roles),
    changeCurrency: staffAlone(...moneyWriters.roles),
    previewPlan: staffAlone(...moneyWriters.roles),
    assignPlan: staffAlone(...moneyWriters.roles),
    goodwill: staffAlone('support', 'billing', 'admin'),
    manualInvoice: staffAlone(...moneyWriters.roles),
    previewOpenBill: staffAlone(...moneyWriters.roles),
    chargeOpenBill: staffAlone(...moneyWriters.roles),
    adjust: staffAlone(...moneyWriters.roles),
  },
  columns: {
    price_lists: () => sql`(select coalesce(jsonb_agg(jsonb_build_object('code', l.code,
        'from_day', lower(x.valid), 'to_day', upper(x.valid)) order by x.valid), '[]')
      from client_price_lists x join price_lists l on l.id = x.price_list_id
      where x.client_id = clients.id and coalesce(upper(x.valid) > clock_today(), true))`,
    company_name: ofEntity(sql`e.company_name`),
    country: ofEntity(sql`o.code`),
    language: () => sql`(select l.code from languages l where l.id = clients.language_id)`,
    currency: () => sql`(select u.code from currencies u where u.id = clients.currency_id)`,
    account_balance: ofBalance(sql`b.account_balance`),
    credit_balance: ofBalance(sql`b.credit_balance`),
    available: ofBalance(sql`b.account_balance + b.credit_balance`),
    owed_since: ofBalance(sql`b.negative_since`),
    daily_use: ofProfile('daily_use'),
    exhaustion_date: ofProfile('exhaustion_date'),
    panels: () =>
      sql`(select count(*)::int from panels p where p.client_id = clients.id and p.deleted_at is null)`,
    open_tickets: (_, actor) => openTickets(actor.staff),
    last_sign_in_at: () =>
      sql`(select max(s.authenticated_at) from auth_sessions s where s.account_id = clients.auth_id)`,
  },
  filters: byValue(clientConditions),
  opened: noteLook,
  listed: { to: listedTo, note: noteListed },
  order: '-createdAt',
  actions: {
    suspendPanel: suspendPanelOf,
    resumePanel: resumePanelOf,
    terminatePanel,
    retryPanel,
    syncPanel,
    suspendClient,
    resumeClient,
    terminateClient,
    seeAsClient,
    leaveClient,
    resetSecondFactor,
    changeEmail,
    endSessions: endSessionsOfClient,
    block: blockClient,
    unblock: unblockClient,
    resendConfirmation,
    confirmEmail,
    flag: flagClient,
    exportData,
    closeAccount: closeClient,
    erase: eraseClient,
    setTerms,
    holdDunning,
    endHold,
    remind,
    giveList,
    currencyChoice: (context, { row }) => currencyChoice(context, row.id),
    changeCurrency: changeCurrencyOf,
    previewPlan,
    assignPlan,
    goodwill,
    manualInvoice,
    previewOpenBill,
    chargeOpenBill,
    adjust,
  },
})
