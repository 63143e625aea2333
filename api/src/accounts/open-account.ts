import { billingStatus } from '@portico/contract/rules/billing-status.ts'
import { sql } from 'kysely'
import { startTrial } from '#money/balance/trial.ts'
import { bringOver, type Opening } from '#money/ledger/opening.ts'
import type { Database } from '#platform/db/pool.ts'
import { clientStatus } from '#reference/client-status.ts'
import { addProject } from '#workspaces/projects.ts'

/** The billed entity; omitted parts are unknown. Country and county by their ISO codes. */
export type Entity = {
  readonly accountType: 1 | 2
  readonly companyName?: string
  readonly companyUrl?: string
  readonly phoneNumber?: string
  readonly address1?: string
  readonly city?: string
  readonly zipCode?: string
  readonly country?: string
  readonly county?: string
  readonly vatNumber?: string
  readonly commerceCode?: string
  readonly billingEmails?: string
}

export type NewAccount = {
  /** auth_accounts.id */
  readonly authId: string
  readonly email: string
  readonly firstName: string
  readonly lastName: string
  readonly emailVerifiedAt: Date | null
  /** ISO 639-1 */
  readonly language: string
  /** ISO 4217; without it that of the country, as it becomes known. */
  readonly currency?: string
  /** One of `clientStatus`. */
  readonly status: number
  readonly billingStatus: number
  /** 0 while a registration through Google is incomplete; 1 by default. */
  readonly googleProcess?: 0 | 1
  readonly trialEndsAt?: Date
  /** Whether the dashboard shows the first steps. */
  readonly getStarted?: boolean
  readonly entity: Entity
  /** The balance from before the account was kept here. */
  readonly opening?: Opening
  /** The first workspace. */
  readonly workspace: string
}

/** Opens an account with its initial rows: billing details, a balance, and a workspace. */
export async function openAccount(
  tx: Database,
  account: NewAccount,
): Promise<{ clientId: number; projectId: number }> {
  const { id: clientId } = await tx
    .insertInto('clients')
    .values(({ selectFrom }) => ({
      auth_id: account.authId,
      email: account.email,
      first_name: account.firstName,
      last_name: account.lastName,
      company_url: account.entity.companyUrl ?? null,
      email_verified_at: account.emailVerifiedAt?.toISOString() ?? null,
      status: account.status,
      billing_status: account.billingStatus,
      google_process: account.googleProcess ?? 1,
      ...(account.getStarted && { get_started: true }),
      trial_ends_at: account.trialEndsAt?.toISOString() ?? null,
      language_id: selectFrom('languages').select('id').where('code', '=', account.language),
      currency_id: account.currency
        ? selectFrom('currencies').select('id').where('code', '=', account.currency)
        : sql<number>`currency_for(null)`,
      ...(account.currency === undefined && { currency_follows_country: true }),
    }))
    .returning('id')
    .executeTakeFirstOrThrow()
  await addEntity(tx, clientId, account.entity)
  if (account.opening) await bringOver(tx, clientId, account.opening)
  const project = await addProject(tx, clientId, account.workspace)
  return { clientId, projectId: project.id }
}

/** The name of a newcomer's first workspace, which they may change. */
const firstWorkspace = (language: string) => (language === 'ro' ? 'Spațiul meu' : 'My Workspace')

/** The details of a person who registers. */
export type Newcomer = Pick<
  NewAccount,
  'authId' | 'email' | 'firstName' | 'lastName' | 'emailVerifiedAt' | 'language' | 'googleProcess'
>

/**
 * Opens an account for a person who registers, with a first workspace. The trial begins at once for a
 * confirmed address, else with the confirmation: unconfirmed accounts are deleted, and ledger entries cannot
 * be.
 */
export async function openOwnAccount(tx: Database, newcomer: Newcomer): Promise<void> {
  const { clientId } = await openAccount(tx, {
    ...newcomer,
    status: clientStatus.neverSignedIn,
    billingStatus: billingStatus.trial,
    getStarted: true,
    entity: { accountType: 2 },
    workspace: firstWorkspace(newcomer.language),
  })
  if (newcomer.emailVerifiedAt) await startTrial(tx, clientId)
}

async function addEntity(tx: Database, clientId: number, entity: Entity): Promise<void> {
  await tx
    .insertInto('client_entities')
    .values(({ selectFrom }) => ({
      client_id: clientId,
      account_type: entity.accountType,
      company_name: entity.companyName ?? null,
      company_url: entity.companyUrl ?? null,
      phone_number: entity.phoneNumber ?? null,
      address1: entity.address1 ?? null,
      city: entity.city ?? null,
      zip_code: entity.zipCode ?? null,
      country_id: entity.country
        ? selectFrom('countries').select('id').where('code', '=', entity.country)
        : null,
      county_id: entity.county ? selectFrom('counties').select('id').where('code', '=', entity.county) : null,
      vat_number: entity.vatNumber ?? null,
      commerce_code: entity.commerceCode ?? null,
      billing_emails: entity.billingEmails ?? null,
    }))
    .execute()
}
