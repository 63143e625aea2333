import type * as z from 'zod/mini'
import type { Relationship, Resource } from './jsonapi.ts'
import { accessPolicies } from './resources/access-policies.ts'
import { accountBalances } from './resources/account-balances.ts'
import { accountingExports } from './resources/accounting-exports.ts'
import { admins } from './resources/admins.ts'
import { announcements } from './resources/announcements.ts'
import { apiKeys } from './resources/api-keys.ts'
import { automatedBillingRules } from './resources/automated-billing-rules.ts'
import { bankLines } from './resources/bank-lines.ts'
import { bankStatements } from './resources/bank-statements.ts'
import { billingLogs } from './resources/billing-logs.ts'
import { billingPolicies } from './resources/billing-policies.ts'
import { billingProfiles } from './resources/billing-profiles.ts'
import { brands } from './resources/brands.ts'
import { cannedAnswers } from './resources/canned-answers.ts'
import { cards } from './resources/cards.ts'
import { clientEntities } from './resources/client-entities.ts'
import { clientExports } from './resources/client-exports.ts'
import { clientFeatures } from './resources/client-features.ts'
import { clientNotes } from './resources/client-notes.ts'
import { clientPanels } from './resources/client-panels.ts'
import { clients } from './resources/clients.ts'
import { clusters } from './resources/clusters.ts'
import { counties } from './resources/counties.ts'
import { countries } from './resources/countries.ts'
import { currencies } from './resources/currencies.ts'
import { currencyPolicies } from './resources/currency-policies.ts'
import { deskChecks } from './resources/desk-checks.ts'
import { deskClients } from './resources/desk-clients.ts'
import { deskDebts } from './resources/desk-debts.ts'
import { deskDepartments } from './resources/desk-departments.ts'
import { deskDisputes } from './resources/desk-disputes.ts'
import { deskDocuments } from './resources/desk-documents.ts'
import { deskEngines } from './resources/desk-engines.ts'
import { deskHome } from './resources/desk-home.ts'
import { deskJobs } from './resources/desk-jobs.ts'
import { deskLetters } from './resources/desk-letters.ts'
import { deskLimits } from './resources/desk-limits.ts'
import { deskPanels } from './resources/desk-panels.ts'
import { deskPayments } from './resources/desk-payments.ts'
import { deskPlans } from './resources/desk-plans.ts'
import { deskRequests } from './resources/desk-requests.ts'
import { deskSignIns } from './resources/desk-sign-ins.ts'
import { deskStaff } from './resources/desk-staff.ts'
import { deskViews } from './resources/desk-views.ts'
import { documentArchives } from './resources/document-archives.ts'
import { domains } from './resources/domains.ts'
import { eInvoices } from './resources/e-invoices.ts'
import { fxRates } from './resources/fx-rates.ts'
import { invoiceDrafts } from './resources/invoice-drafts.ts'
import { invoiceProformaSeries } from './resources/invoice-proforma-series.ts'
import { invoiceSeries } from './resources/invoice-series.ts'
import { invoiceStatuses } from './resources/invoice-statuses.ts'
import { invoices } from './resources/invoices.ts'
import { ledgerChecks } from './resources/ledger-checks.ts'
import { meters } from './resources/meters.ts'
import { monthCloses } from './resources/month-closes.ts'
import { notifications } from './resources/notifications.ts'
import { operatorProfiles } from './resources/operator-profiles.ts'
import { operatorSettings } from './resources/operator-settings.ts'
import { panelPlans } from './resources/panel-plans.ts'
import { panels } from './resources/panels.ts'
import { planPrices } from './resources/plan-prices.ts'
import { plans } from './resources/plans.ts'
import { policyChanges } from './resources/policy-changes.ts'
import { priceLists } from './resources/price-lists.ts'
import { prices } from './resources/prices.ts'
import { projects } from './resources/projects.ts'
import { providerDays } from './resources/provider-days.ts'
import { publishedTexts } from './resources/published-texts.ts'
import { registerDetails } from './resources/register-details.ts'
import { reports } from './resources/reports.ts'
import { servers } from './resources/servers.ts'
import { shareInvitations } from './resources/share-invitations.ts'
import { sharePermissions } from './resources/share-permissions.ts'
import { staffActions } from './resources/staff-actions.ts'
import { staffAlerts } from './resources/staff-alerts.ts'
import { staffPreferences } from './resources/staff-preferences.ts'
import { stripeSetupIntents } from './resources/stripe-setup-intents.ts'
import { taxOffices } from './resources/tax-offices.ts'
import { ticketDepartments } from './resources/ticket-departments.ts'
import { ticketEmails } from './resources/ticket-emails.ts'
import { ticketFiles } from './resources/ticket-files.ts'
import { ticketMessages } from './resources/ticket-messages.ts'
import { ticketStatuses } from './resources/ticket-statuses.ts'
import { ticketTicketEmails } from './resources/ticket-ticket-emails.ts'
import { tickets } from './resources/tickets.ts'
import { transactions } from './resources/transactions.ts'
import { usageNotes } from './resources/usage-notes.ts'
import { usages } from './resources/usages.ts'
import { vatRates } from './resources/vat-rates.ts'

/** Every JSON:API type of the portal, one line each. */
export const registry = {
  'access-policies': accessPolicies,
  'account-balances': accountBalances,
  admins,
  'api-keys': apiKeys,
  'automated-billing-rules': automatedBillingRules,
  'billing-logs': billingLogs,
  'billing-profiles': billingProfiles,
  'canned-answers': cannedAnswers,
  cards,
  'client-entities': clientEntities,
  'client-exports': clientExports,
  'client-features': clientFeatures,
  'client-panels': clientPanels,
  clients,
  clusters,
  counties,
  countries,
  currencies,
  'accounting-exports': accountingExports,
  'vat-rates': vatRates,
  'fx-rates': fxRates,
  announcements,
  'operator-profiles': operatorProfiles,
  'operator-settings': operatorSettings,
  brands,
  'published-texts': publishedTexts,
  'billing-policies': billingPolicies,
  'currency-policies': currencyPolicies,
  'bank-lines': bankLines,
  'bank-statements': bankStatements,
  'client-notes': clientNotes,
  'desk-checks': deskChecks,
  'ledger-checks': ledgerChecks,
  'desk-engines': deskEngines,
  'desk-plans': deskPlans,
  'desk-requests': deskRequests,
  'desk-clients': deskClients,
  'desk-debts': deskDebts,
  'desk-departments': deskDepartments,
  'desk-disputes': deskDisputes,
  'desk-documents': deskDocuments,
  'desk-home': deskHome,
  'desk-jobs': deskJobs,
  'desk-letters': deskLetters,
  'desk-limits': deskLimits,
  'desk-panels': deskPanels,
  'desk-payments': deskPayments,
  'desk-sign-ins': deskSignIns,
  'desk-staff': deskStaff,
  'desk-views': deskViews,
  'document-archives': documentArchives,
  domains,
  'e-invoices': eInvoices,
  'invoice-drafts': invoiceDrafts,
  'invoice-proforma-series': invoiceProformaSeries,
  'invoice-series': invoiceSeries,
  'invoice-statuses': invoiceStatuses,
  invoices,
  meters,
  'month-closes': monthCloses,
  notifications,
  'panel-plans': panelPlans,
  panels,
  'plan-prices': planPrices,
  plans,
  'policy-changes': policyChanges,
  'provider-days': providerDays,
  'price-lists': priceLists,
  prices,
  projects,
  reports,
  'register-details': registerDetails,
  servers,
  'share-invitations': shareInvitations,
  'share-permissions': sharePermissions,
  'staff-actions': staffActions,
  'staff-alerts': staffAlerts,
  'staff-preferences': staffPreferences,
  'stripe-setup-intents': stripeSetupIntents,
  'tax-offices': taxOffices,
  'ticket-departments': ticketDepartments,
  'ticket-emails': ticketEmails,
  'ticket-files': ticketFiles,
  'ticket-messages': ticketMessages,
  'ticket-statuses': ticketStatuses,
  'ticket-ticket-emails': ticketTicketEmails,
  tickets,
  transactions,
  'usage-notes': usageNotes,
  usages,
} as const

export type Registry = typeof registry
export type TypeName = keyof Registry

type Targets<R extends Record<string, Resource>> = {
  [T in keyof R]: R[T]['relationships'][keyof R[T]['relationships']]
}[keyof R]
type Unknown<R extends Record<string, Resource>> = Exclude<
  Targets<R> extends Relationship ? Targets<R>['type'] : never,
  keyof R
>

/**
 * A registry whose keys are the names of its types, and whose relationships point to registered types only.
 */
export type Sound<R extends Record<string, Resource>> = { [T in keyof R & string]: Resource<T> } & ([
  Unknown<R>,
] extends [never]
  ? unknown
  : never)
registry satisfies Sound<Registry>

/** The attributes of a type in a response. */
export type Attributes<T extends TypeName> = {
  [K in keyof Registry[T]['attributes']]: z.output<Registry[T]['attributes'][K]>
}
/** The names of the relationships of a type. */
export type RelationshipName<T extends TypeName> = keyof Registry[T]['relationships'] & string
export type ActionName<T extends TypeName> = keyof Registry[T]['actions'] & string
/** The abilities that `meta.may` of a type lists in addition to its verbs and actions. */
export type AbilityName<T extends TypeName> = Registry[T]['abilities'][number]
