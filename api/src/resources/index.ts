import type { TypeName } from '@portico/contract/index.ts'
import type { Served } from '../jsonapi/serve.ts'
import accountBalances from './account-balances.ts'
import admins from './admins.ts'
import apiKeys from './api-keys.ts'
import automatedBillingRules from './automated-billing-rules.ts'
import billingLogs from './billing-logs.ts'
import billingProfiles from './billing-profiles.ts'
import cannedAnswers from './canned-answers.ts'
import cards from './cards.ts'
import clientEntities from './client-entities.ts'
import clientFeatures from './client-features.ts'
import clientPanels from './client-panels.ts'
import clients from './clients.ts'
import clusters from './clusters.ts'
import counties from './counties.ts'
import countries from './countries.ts'
import currencies from './currencies.ts'
import domains from './domains.ts'
import invoiceProformaSeries from './invoice-proforma-series.ts'
import invoiceSeries from './invoice-series.ts'
import invoiceStatuses from './invoice-statuses.ts'
import invoices from './invoices.ts'
import notifications from './notifications.ts'
import panels from './panels.ts'
import projects from './projects.ts'
import registerDetails from './register-details.ts'
import servers from './servers.ts'
import shareInvitations from './share-invitations.ts'
import sharePermissions from './share-permissions.ts'
import staffAlerts from './staff-alerts.ts'
import staffPreferences from './staff-preferences.ts'
import stripeSetupIntents from './stripe-setup-intents.ts'
import ticketDepartments from './ticket-departments.ts'
import ticketEmails from './ticket-emails.ts'
import ticketFiles from './ticket-files.ts'
import ticketMessages from './ticket-messages.ts'
import ticketStatuses from './ticket-statuses.ts'
import ticketTicketEmails from './ticket-ticket-emails.ts'
import tickets from './tickets.ts'
import transactions from './transactions.ts'
import usageNotes from './usage-notes.ts'
import usages from './usages.ts'

/** The server half of every JSON:API type, one line each; a type of the contract that is missing does not compile. */
export const served = {
  'account-balances': accountBalances,
  admins,
  'api-keys': apiKeys,
  'automated-billing-rules': automatedBillingRules,
  'billing-logs': billingLogs,
  'billing-profiles': billingProfiles,
  'canned-answers': cannedAnswers,
  cards,
  'client-entities': clientEntities,
  'client-features': clientFeatures,
  'client-panels': clientPanels,
  clients,
  clusters,
  counties,
  countries,
  currencies,
  domains,
  'invoice-proforma-series': invoiceProformaSeries,
  'invoice-series': invoiceSeries,
  'invoice-statuses': invoiceStatuses,
  invoices,
  notifications,
  panels,
  projects,
  'register-details': registerDetails,
  servers,
  'share-invitations': shareInvitations,
  'share-permissions': sharePermissions,
  'staff-alerts': staffAlerts,
  'staff-preferences': staffPreferences,
  'stripe-setup-intents': stripeSetupIntents,
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
} satisfies Record<TypeName, Served>
