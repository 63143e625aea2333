type Asked = {
  /** The type of the verb. */
  readonly type: string
  /** What it is called; in both languages, because letters and the desk say the same. */
  readonly en: string
  readonly ro: string
}

/** The verbs of staff that one person asks for and another approves: above the limit of one, or always. */
export const askedVerbs = {
  goodwill: { type: 'desk-clients', en: 'Goodwill', ro: 'Compensație' },
  adjust: { type: 'desk-clients', en: 'Correction of a balance', ro: 'Corectarea unui sold' },
  manualInvoice: { type: 'desk-clients', en: 'Manual invoice', ro: 'Factură manuală' },
  chargeOpenBill: {
    type: 'desk-clients',
    en: 'Bill of an open month',
    ro: 'Facturarea lunii în curs',
  },
  creditNote: { type: 'invoices', en: 'Credit note', ro: 'Factură de stornare' },
  storno: { type: 'invoices', en: 'Reissue of a deposit invoice', ro: 'Reemiterea facturii de avans' },
  writeOff: { type: 'invoices', en: 'Write-off', ro: 'Trecere pe pierderi' },
  recordBankTransfer: {
    type: 'invoices',
    en: 'Bank transfer by hand',
    ro: 'Transfer bancar înregistrat manual',
  },
  refund: { type: 'transactions', en: 'Refund', ro: 'Rambursare' },
  writeOffDebt: {
    type: 'transactions',
    en: 'Write-off of a debt of a payment',
    ro: 'Anularea datoriei unei plăți',
  },
  inviteAdmin: {
    type: 'desk-staff',
    en: 'Invitation of an administrator',
    ro: 'Invitarea unui administrator',
  },
  setRole: { type: 'desk-staff', en: 'Change of role', ro: 'Schimbarea rolului' },
  resetFactors: {
    type: 'desk-staff',
    en: 'Second factor of an administrator removed',
    ro: 'Eliminarea celui de-al doilea factor al unui administrator',
  },
  suspendPanel: { type: 'desk-clients', en: 'Stop of a panel', ro: 'Oprirea unui panou' },
  suspendClient: {
    type: 'desk-clients',
    en: 'Stop of all panels of a client',
    ro: 'Oprirea tuturor panourilor unui client',
  },
  block: { type: 'desk-clients', en: 'Block of a client', ro: 'Blocarea unui client' },
  closeAccount: { type: 'desk-clients', en: 'Closing of an account', ro: 'Închiderea unui cont' },
  terminatePanel: { type: 'desk-clients', en: 'Deletion of a panel', ro: 'Ștergerea unui panou' },
  terminateClient: {
    type: 'desk-clients',
    en: 'Deletion of all panels of a client',
    ro: 'Ștergerea tuturor panourilor unui client',
  },
  changeEmail: { type: 'desk-clients', en: 'Other address of a client', ro: 'Altă adresă a unui client' },
  resetSecondFactor: {
    type: 'desk-clients',
    en: 'Second factor of a client turned off',
    ro: 'Oprirea autentificării în doi pași a unui client',
  },
  erase: { type: 'desk-clients', en: 'Erasure of an account', ro: 'Ștergerea datelor unui cont' },
  setLimits: { type: 'desk-limits', en: 'Change of a limit', ro: 'Modificarea unei limite' },
} as const satisfies Readonly<Record<string, Asked>>

export type AskedVerb = keyof typeof askedVerbs

/** The names of the verbs. */
export const askedVerbNames = Object.keys(askedVerbs) as readonly AskedVerb[] // The keys of the record above.

/** Those of them that move money, each within a limit of the role. */
export const moneyVerbNames = [
  'goodwill',
  'adjust',
  'manualInvoice',
  'chargeOpenBill',
  'creditNote',
  'storno',
  'writeOff',
  'recordBankTransfer',
  'refund',
  'writeOffDebt',
] as const satisfies readonly AskedVerb[]

export type MoneyVerb = (typeof moneyVerbNames)[number]
