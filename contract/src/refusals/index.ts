import { accountsRefusals } from './accounts.ts'
import { brandRefusals } from './brand.ts'
import { fieldRefusals } from './fields.ts'
import { identityRefusals } from './identity.ts'
import { bankRefusals } from './money/bank.ts'
import { cardRefusals } from './money/cards.ts'
import { eInvoiceRefusals } from './money/e-invoices.ts'
import { exportRefusals } from './money/exports.ts'
import { invoiceRefusals } from './money/invoices.ts'
import { ledgerRefusals } from './money/ledger.ts'
import { paymentRefusals } from './money/payments.ts'
import { planRefusals } from './money/plans.ts'
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
