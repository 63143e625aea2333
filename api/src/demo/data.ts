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
  /** ISO 4217; all sums of the account are in it. */
  readonly currency: string
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
  /** The domain of panels whose plan needs one. */
  readonly domain?: string
  /** The plan that the account's panels had until some days ago. */
  readonly planBefore?: { readonly code: string; readonly daysAgo: number }
  /** The first is the current one. A panel is its name and the code of its plan. */
  readonly workspaces: readonly (readonly [name: string, panels: Readonly<Record<string, string>>])[]
}

export const demoData: readonly DemoAccount[] = [
  {
    email: 'ana@demo.test',
    firstName: 'Ana',
    lastName: 'Marin',
    note: {
      en: 'Owner of Lumen Studio SRL: three workspaces, six panels, one on a plan no longer sold',
      ro: 'Proprietara firmei Lumen Studio SRL: trei spații de lucru, șase panouri, unul cu un plan care nu se mai vinde',
    },
    language: 'en',
    status: clientStatus.active,
    billingStatus: billingStatus.ok,
    currency: 'USD',
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
    domain: 'lumen-studio.test',
    workspaces: [
      ['Production', { 'web-eu1': 'web-3', 'shop-cluster': 'cluster-4', 'mail-eu1': 'mail-24' }],
      ['Staging', { 'staging-eu1': 'start' }],
      ['Client work', { 'bistro-verde': 'start', 'atelier-nord': 'old-web-2' }],
    ],
  },
  {
    email: 'mihai@demo.test',
    firstName: 'Mihai',
    lastName: 'Dobre',
    note: {
      en: 'A colleague of Ana, who shares tickets and two panels with him; his own account is in lei, and empty',
      ro: 'Un coleg al Anei, care îi partajează tichetele și două panouri; contul lui este în lei și încă gol',
    },
    language: 'ro',
    status: clientStatus.active,
    billingStatus: billingStatus.ok,
    currency: 'RON',
    balance: '25.00',
    credit: '0',
    entity: { accountType: 2 },
    workspaces: [['My Workspace', {}]],
  },
  {
    email: 'ioana@demo.test',
    firstName: 'Ioana',
    lastName: 'Weber',
    note: {
      en: 'A personal account in euros, below zero for 16 days',
      ro: 'Un cont personal în euro, sub zero de 16 zile',
    },
    language: 'en',
    status: clientStatus.active,
    billingStatus: billingStatus.warned,
    currency: 'EUR',
    balance: '0',
    credit: '0',
    negativeDays: 16,
    entity: { accountType: 2, address1: 'Lindenweg 8', city: 'Leipzig', zipCode: '04103', country: 'DE' },
    workspaces: [['My Workspace', { fotoblog: 'start' }]],
  },
  {
    email: 'hans@demo.test',
    firstName: 'Hans',
    lastName: 'Becker',
    note: { en: 'A company in Germany, in euros', ro: 'O companie din Germania, în euro' },
    language: 'en',
    status: clientStatus.active,
    billingStatus: billingStatus.ok,
    currency: 'EUR',
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
    workspaces: [['Werkzeugbau', { 'katalog-eu1': 'start', intranet: 'start' }]],
  },
  {
    email: 'radu@demo.test',
    firstName: 'Radu',
    lastName: 'Pop',
    note: {
      en: 'A bookshop in Cluj, in lei: changed from plan Start to Web 3 twenty days ago',
      ro: 'O librărie din Cluj, în lei: a trecut de la planul Start la Web 3 acum douăzeci de zile',
    },
    language: 'ro',
    status: clientStatus.active,
    billingStatus: billingStatus.ok,
    currency: 'RON',
    balance: '143.50',
    credit: '0',
    topUp: { below: '60', amount: '100' },
    entity: {
      accountType: 1,
      companyName: 'Librăria Feleac SRL',
      companyUrl: 'https://libraria-feleac.test',
      phoneNumber: '+40 264 555 0142',
      address1: 'Strada Memorandumului 7',
      city: 'Cluj-Napoca',
      zipCode: '400114',
      country: 'RO',
      county: 'RO-CJ',
      vatNumber: 'RO30562140',
      commerceCode: 'J12/1804/2012',
    },
    planBefore: { code: 'start', daysAgo: 20 },
    workspaces: [['Librărie', { 'librarie-eu1': 'web-3' }]],
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
    currency: 'USD',
    trialDays: 9,
    trialDaysLeft: 5,
    balance: '0',
    credit: '20.00',
    entity: { accountType: 2 },
    workspaces: [['My Workspace', { 'first-steps': 'start' }]],
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
      en: 'Staff: answers every ticket, and manages everything else',
      ro: 'Echipa de suport: răspunde la toate tichetele și administrează tot restul',
    },
  },
] as const
