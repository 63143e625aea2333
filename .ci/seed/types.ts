/** The required fields and relationships of each type, without the id that all have. */
type SeedType = {
  readonly fields: readonly string[]
  readonly relationships: readonly string[]
  /** Ids are integers, except for api-keys. */
  readonly id?: 'text'
}

const named = (relationships: readonly string[] = []): SeedType => ({ fields: [], relationships })

const billingProfile = [
  'company_name',
  'company_url',
  'account_type',
  'phone_number',
  'address1',
  'address2',
  'city',
  'state',
  'zip_code',
  'vat_number',
  'commerce_code',
  'country_id',
  'po_number',
  'billing_emails',
]

/** The account in the responses of the current-user call and the sign-in. */
export const userFields = [
  'id',
  'auth_id',
  'language_id',
  'currency_id',
  'first_name',
  'last_name',
  'email',
  'company_url',
  'status',
  'current_project_id',
  'two_fa_enabled',
  'clientEntity',
  'google_process',
  'email_verified_at',
  'billing_status',
  'access',
]

/** Its fields that the data API has under another name. */
const notOfClients = ['id', 'clientEntity', 'access']

/** The permission object, and its entry for each workspace. */
export const permissionFields = [
  'billing',
  'tickets',
  'my_workspaces',
  'add_panels',
  'delete_panels',
  'workspace_resources',
  'workspaces',
]
export const workspaceEntryFields = [
  'id',
  'access_type',
  'add_panels',
  'delete_panels',
  'panels',
  'show_workspace',
  'name',
  'selected',
]

export const types: Readonly<Record<string, SeedType>> = {
  projects: { fields: ['name'], relationships: ['panels'] },
  panels: {
    fields: ['panel_engine_id', 'name', 'project_id', 'user_type', 'client_id'],
    relationships: ['project'],
  },
  counties: { fields: ['name'], relationships: [] },
  tickets: {
    // The additional e-mails are part of an answer; attachments are the relationship ticketFile.
    fields: ['subject', 'description', 'notified_emails'],
    relationships: ['ticketMessages', 'ticketDepartment', 'ticketTicketEmails', 'ticketFile'],
  },
  'ticket-emails': { fields: ['email'], relationships: [] },
  currencies: named(),
  'invoice-statuses': named(),
  'invoice-proforma-series': named(),
  'invoice-series': named(),
  'ticket-files': named(),
  'ticket-ticket-emails': named(),
  'ticket-statuses': named(),
  'ticket-departments': named(),
  'ticket-messages': named(),
  clients: {
    fields: userFields.filter((name) => !notOfClients.includes(name)),
    relationships: ['clientEntity'],
  },
  'client-entities': { fields: billingProfile, relationships: [] },
  admins: named(),
  cards: named(),
  'account-balances': { fields: ['client_id', 'account_balance', 'credit_balance'], relationships: [] },
  transactions: named(['invoice']),
  invoices: named(),
  'billing-profiles': named(),
  'stripe-setup-intents': named(),
  'automated-billing-rules': named(),
  countries: { fields: ['name', 'code', 'dial_code'], relationships: [] },
  'api-keys': { fields: [], relationships: [], id: 'text' },
  'share-permissions': { fields: ['inviting_client_id', 'permissions'], relationships: [] },
  'share-invitations': {
    fields: [
      'permission_id',
      'first_name',
      'last_name',
      'invited_email',
      'accepted',
      'accepted_by_client_id',
      'client_id',
      'full_name',
      'initials',
    ],
    relationships: [],
  },
  'register-details': named(),
  'client-panels': named(),
  // The columns of the billing log; its type is `kind`, because JSON:API reserves `type`.
  'billing-logs': {
    fields: ['period', 'description', 'date', 'deposit', 'payment', 'kind', 'invoice'],
    relationships: [],
  },
  usages: named(),
  'usage-notes': named(),
  'client-features': named(),
}

/** The approximate number of countries. */
export const countryEntries = 240
