import { billingStatus } from '@portico/contract/rules/billing-status.ts'
import type { Entity } from '#accounts/open-account.ts'
import { clientStatus } from '#reference/client-status.ts'

/** An account of the demo. Days are relative to the day of the seed. */
export type DemoAccount = {
  readonly email: string
  readonly firstName: string
  readonly lastName: string
  /** A description of the account for the visitor. */
  readonly note: Readonly<Record<'en' | 'ro', string>>
  readonly language: 'en' | 'ro'
  readonly status: number
  readonly billingStatus: number
  /** For an account on trial: the days since its start, and until its end. */
  readonly trialDays?: number
  readonly trialDaysLeft?: number
  /**
   * Today's balance without credit; for a negative one it follows from the days, and for a trial from its
   * usage.
   */
  readonly balance: string
  readonly credit: string
  readonly negativeDays?: number
  /** The deposit that is made whenever the balance falls below the limit. */
  readonly topUp?: { readonly below: string; readonly amount: string }
  /** The first deposit was paid twice by mistake, and refunded. */
  readonly paidTwice?: boolean
  /** The net amount of an open proforma, to be paid by bank transfer. */
  readonly proforma?: string
  readonly entity: Entity
  /** The first is the current one. A panel is its name and its plan at the simulated engine. */
  readonly workspaces: readonly (readonly [name: string, panels: Readonly<Record<string, string>>])[]
}

export const demoData: readonly DemoAccount[] = [
  {
    email: 'ana@demo.test',
    firstName: 'Ana',
    lastName: 'Marin',
    note: {
      en: 'Owner of Lumen Studio SRL: three workspaces, six panels',
      ro: 'Proprietara firmei Lumen Studio SRL: trei spații de lucru, șase panouri',
    },
    language: 'en',
    status: clientStatus.active,
    billingStatus: billingStatus.ok,
    balance: '41.27',
    credit: '8.00',
    topUp: { below: '15', amount: '50' },
    paidTwice: true,
    proforma: '100',
    entity: {
      accountType: 1,
      companyName: 'Lumen Studio SRL',
      companyUrl: 'https://lumen-studio.test',
      phoneNumber: '+40 21 555 0134',
      address1: 'Strada Lipscani 12',
      city: 'SECTOR2',
      zipCode: '020025',
      country: 'RO',
      county: 'RO-B',
      vatNumber: 'RO12345674',
      commerceCode: 'J40/4521/2019',
      billingEmails: 'facturi@lumen-studio.test',
    },
    workspaces: [
      ['Production', { 'web-eu1': 'web-3', 'shop-cluster': 'cluster-4', 'mail-eu1': 'mail-24' }],
      ['Staging', { 'staging-eu1': 'standard' }],
      ['Client work', { 'bistro-verde': 'standard', 'atelier-nord': 'strained' }],
    ],
  },
  {
    email: 'mihai@demo.test',
    firstName: 'Mihai',
    lastName: 'Dobre',
    note: {
      en: 'A colleague of Ana, who shares tickets and two panels with him; his own workspace is empty',
      ro: 'Un coleg al Anei, care îi partajează tichetele și două panouri; spațiul lui de lucru este gol',
    },
    language: 'ro',
    status: clientStatus.active,
    billingStatus: billingStatus.ok,
    balance: '5.00',
    credit: '0',
    entity: { accountType: 2 },
    workspaces: [['My Workspace', {}]],
  },
  {
    email: 'ioana@demo.test',
    firstName: 'Ioana',
    lastName: 'Weber',
    note: { en: 'A personal account, below zero for 16 days', ro: 'Un cont personal, sub zero de 16 zile' },
    language: 'en',
    status: clientStatus.active,
    billingStatus: billingStatus.warned,
    balance: '0',
    credit: '0',
    negativeDays: 16,
    entity: { accountType: 2, address1: 'Lindenweg 8', city: 'Leipzig', zipCode: '04103', country: 'DE' },
    workspaces: [['My Workspace', { fotoblog: 'standard' }]],
  },
  {
    email: 'hans@demo.test',
    firstName: 'Hans',
    lastName: 'Becker',
    note: { en: 'A company in Germany', ro: 'O companie din Germania' },
    language: 'en',
    status: clientStatus.active,
    billingStatus: billingStatus.ok,
    balance: '118.40',
    credit: '0',
    topUp: { below: '60', amount: '100' },
    entity: {
      accountType: 1,
      companyName: 'Becker Werkzeugbau GmbH',
      companyUrl: 'https://becker-werkzeugbau.test',
      phoneNumber: '+49 30 555 0187',
      address1: 'Industriestraße 41',
      city: 'Chemnitz',
      zipCode: '09117',
      country: 'DE',
      vatNumber: 'DE123456788',
      commerceCode: 'HRB 20417',
      billingEmails: 'buchhaltung@becker-werkzeugbau.test',
    },
    workspaces: [['Werkzeugbau', { 'katalog-eu1': 'standard', intranet: 'standard' }]],
  },
  {
    email: 'trial@demo.test',
    firstName: 'Tara',
    lastName: 'Novak',
    note: {
      en: 'Day 9 of a 14-day trial, never signed in',
      ro: 'Ziua a 9-a din cele 14 zile de probă, nu s-a conectat niciodată',
    },
    language: 'en',
    status: clientStatus.neverSignedIn,
    billingStatus: billingStatus.trial,
    trialDays: 9,
    trialDaysLeft: 5,
    balance: '0',
    credit: '20.00',
    entity: { accountType: 2 },
    workspaces: [['My Workspace', { 'first-steps': 'standard' }]],
  },
]

/** The staff who answer the demo's tickets. */
export const demoStaff = [
  {
    email: 'support@demo.test',
    firstName: 'Sorin',
    lastName: 'Ilie',
    role: 'support',
    note: { en: 'Staff: answers every ticket', ro: 'Echipa de suport: răspunde la toate tichetele' },
  },
  {
    email: 'billing@demo.test',
    firstName: 'Bianca',
    lastName: 'Stan',
    role: 'billing',
    note: {
      en: 'Staff: answers the tickets about billing',
      ro: 'Echipa de suport: răspunde la tichetele despre facturare',
    },
  },
  {
    email: 'admin@demo.test',
    firstName: 'Adela',
    lastName: 'Rusu',
    role: 'admin',
    note: {
      en: 'Staff: answers every ticket, and will manage the rest',
      ro: 'Echipa de suport: răspunde la toate tichetele și va administra restul',
    },
  },
] as const
