import { accountsRefusals } from './accounts.ts'
import { bankRefusals } from './bank.ts'
import { brandRefusals } from './brand.ts'
import { cardRefusals } from './cards.ts'
import { eInvoiceRefusals } from './e-invoices.ts'
import { exportRefusals } from './exports.ts'
import { fieldRefusals } from './fields.ts'
import { identityRefusals } from './identity.ts'
import { invoiceRefusals } from './invoices.ts'
import { ledgerRefusals } from './ledger.ts'
import { paymentRefusals } from './payments.ts'
import { planRefusals } from './plans.ts'
import { queryRefusals } from './queries.ts'
import type { Declared, ParametersOf } from './refusal.ts'
import { requestRefusals } from './requests.ts'
import { settingRefusals } from './settings.ts'
import { sharingRefusals } from './sharing.ts'
import { staffRefusals } from './staff.ts'
import { ticketsRefusals } from './tickets.ts'
import { usageRefusals } from './usage.ts'
import { workspacesRefusals } from './workspaces.ts'

/**
 * Every refusal by its code. A code stands for one fact and never changes its meaning: clients may switch on
 * it.
 */
export const refusals = {
  ...fieldRefusals,
  ...queryRefusals,
  ...requestRefusals,
  ...identityRefusals,
  ...accountsRefusals,
  ...staffRefusals,
  ...settingRefusals,
  ...brandRefusals,
  ...planRefusals,
  ...ticketsRefusals,
  ...sharingRefusals,
  ...workspacesRefusals,
  ...usageRefusals,
  ...paymentRefusals,
  ...bankRefusals,
  ...cardRefusals,
  ...eInvoiceRefusals,
  ...invoiceRefusals,
  ...ledgerRefusals,
  ...exportRefusals,
} as const satisfies Record<string, Declared>

export type RefusalCode = keyof typeof refusals
export type RefusalParameters<C extends RefusalCode> = ParametersOf<(typeof refusals)[C]>
