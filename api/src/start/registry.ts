import type { TypeName } from '@portico/contract/index.ts'
import clientEntities from '#accounts/client-entities.resource.ts'
import clientFeatures from '#accounts/client-features.resource.ts'
import clients from '#accounts/clients.resource.ts'
import registerDetails from '#accounts/register-details.resource.ts'
import publishedTexts from '#accounts/texts/published-texts.resource.ts'
import announcements from '#desk/announcements/announcements.resource.ts'
import brands from '#desk/brand/brands.resource.ts'
import ledgerChecks from '#desk/checks/ledger-checks.resource.ts'
import clientNotes from '#desk/client-notes.resource.ts'
import deskDepartments from '#desk/departments/desk-departments.resource.ts'
import deskChecks from '#desk/desk-checks.resource.ts'
import deskClients from '#desk/desk-clients.resource.ts'
import deskHome from '#desk/desk-home.resource.ts'
import deskJobs from '#desk/desk-jobs.resource.ts'
import deskLetters from '#desk/desk-letters.resource.ts'
import deskSignIns from '#desk/desk-sign-ins.resource.ts'
import deskStaff from '#desk/desk-staff.resource.ts'
import deskEngines from '#desk/engines/desk-engines.resource.ts'
import clientExports from '#desk/exports/client-exports.resource.ts'
import deskViews from '#desk/exports/desk-views.resource.ts'
import documentArchives from '#desk/exports/document-archives.resource.ts'
import deskDebts from '#desk/money/desk-debts.resource.ts'
import deskDisputes from '#desk/money/desk-disputes.resource.ts'
import deskDocuments from '#desk/money/desk-documents.resource.ts'
import deskPayments from '#desk/money/desk-payments.resource.ts'
import monthCloses from '#desk/money/month-closes.resource.ts'
import deskPanels from '#desk/panels/desk-panels.resource.ts'
import deskPlans from '#desk/plans/desk-plans.resource.ts'
import deskLimits from '#desk/second/desk-limits.resource.ts'
import deskRequests from '#desk/second/desk-requests.resource.ts'
import operatorSettings from '#desk/settings/operator-settings.resource.ts'
import accessPolicies from '#desk/views/access-policies.resource.ts'
import apiKeys from '#identity/api-keys/api-keys.resource.ts'
import accountBalances from '#money/balance/account-balances.resource.ts'
import billingLogs from '#money/balance/billing-logs.resource.ts'
import bankLines from '#money/bank/bank-lines.resource.ts'
import bankStatements from '#money/bank/bank-statements.resource.ts'
import invoiceDrafts from '#money/corrections/invoice-drafts.resource.ts'
import accountingExports from '#money/exports/accounting-exports.resource.ts'
import billingProfiles from '#money/invoices/billing-profiles.resource.ts'
import invoiceProformaSeries from '#money/invoices/invoice-proforma-series.resource.ts'
import invoiceSeries from '#money/invoices/invoice-series.resource.ts'
import invoiceStatuses from '#money/invoices/invoice-statuses.resource.ts'
import invoices from '#money/invoices/invoices.resource.ts'
import fxRates from '#money/invoices/rates/fx-rates.resource.ts'
import vatRates from '#money/invoices/vat/vat-rates.resource.ts'
import billingPolicies from '#money/operator/billing-policies.resource.ts'
import currencyPolicies from '#money/operator/currency-policies.resource.ts'
import operatorProfiles from '#money/operator/operator-profiles.resource.ts'
import policyChanges from '#money/operator/policy-changes.resource.ts'
import automatedBillingRules from '#money/payments/automatic/automated-billing-rules.resource.ts'
import providerDays from '#money/payments/balances/provider-days.resource.ts'
import cards from '#money/payments/cards/cards.resource.ts'
import stripeSetupIntents from '#money/payments/cards/stripe-setup-intents.resource.ts'
import transactions from '#money/payments/transactions.resource.ts'
import panelPlans from '#money/pricing/panel-plans.resource.ts'
import planPrices from '#money/pricing/plan-prices.resource.ts'
import plans from '#money/pricing/plans.resource.ts'
import priceLists from '#money/pricing/price-lists.resource.ts'
import prices from '#money/pricing/prices.resource.ts'
import reports from '#money/reports/reports.resource.ts'
import eInvoices from '#money/tax-office/e-invoices.resource.ts'
import taxOffices from '#money/tax-office/tax-offices.resource.ts'
import notifications from '#notifications/notifications.resource.ts'
import type { Served } from '#platform/jsonapi/declare/served.ts'
import counties from '#reference/counties.resource.ts'
import countries from '#reference/countries.resource.ts'
import currencies from '#reference/currencies.resource.ts'
import clientPanels from '#sharing/client-panels.resource.ts'
import shareInvitations from '#sharing/share-invitations.resource.ts'
import sharePermissions from '#sharing/share-permissions.resource.ts'
import staffActions from '#staff/staff-actions.resource.ts'
import staffAlerts from '#staff/staff-alerts.resource.ts'
import staffPreferences from '#staff/staff-preferences.resource.ts'
import admins from '#tickets/admins.resource.ts'
import cannedAnswers from '#tickets/canned-answers.resource.ts'
import ticketFiles from '#tickets/files/ticket-files.resource.ts'
import ticketEmails from '#tickets/recipients/ticket-emails.resource.ts'
import ticketTicketEmails from '#tickets/recipients/ticket-ticket-emails.resource.ts'
import ticketDepartments from '#tickets/ticket-departments.resource.ts'
import ticketMessages from '#tickets/ticket-messages.resource.ts'
import ticketStatuses from '#tickets/ticket-statuses.resource.ts'
import tickets from '#tickets/tickets.resource.ts'
import meters from '#usage/meters.resource.ts'
import usageNotes from '#usage/usage-notes.resource.ts'
import usages from '#usage/usages.resource.ts'
import clusters from '#workspaces/contents/clusters.resource.ts'
import domains from '#workspaces/contents/domains.resource.ts'
import servers from '#workspaces/contents/servers.resource.ts'
import panels from '#workspaces/panels.resource.ts'
import projects from '#workspaces/projects.resource.ts'

/** The binding of every JSON:API type, one line each; a missing type of the contract does not compile. */
export const served: Readonly<Record<TypeName, Served>> = {
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
  'operator-profiles': operatorProfiles,
  'operator-settings': operatorSettings,
  announcements,
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
}
