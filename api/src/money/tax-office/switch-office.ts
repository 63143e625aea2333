import { ubl } from '#money/invoices/documents/ubl.ts'
import { operatorOf } from '#money/invoices/parties.ts'
import type { Context, OutsideContext } from '#platform/context.ts'
import { type Problem, refuse } from '#platform/errors/problem.ts'
import { enqueue } from '#platform/jobs/enqueue.ts'
import { assertRecentSignIn } from '#platform/recent-sign-in.ts'
import { beginAuthorisation, cifOf, type Office, takeAuthorisation, tokenColumns } from './access.ts'
import { collectDocuments, officeCountry } from './collect.ts'
import { mayCall } from './limits.ts'
import { OfficeError, type TaxOffice } from './tax-office.ts'
import { trialDocument } from './trial-document.ts'

type On<I> = { readonly row: Office; readonly input: I }

/** The office of a row. Throws `einvoice_not_configured`. */
function officeOf(
  { ports: { taxOffice } }: Pick<OutsideContext, 'ports'>,
  { environment }: Office,
): TaxOffice {
  if (taxOffice?.environment !== environment) throw refuse('einvoice_not_configured')
  return taxOffice
}

/** A failed call as a refusal for the person who waits for it. */
function refusalOf(error: unknown): Problem {
  if (!(error instanceof OfficeError)) throw error
  if (error.fault === 'unauthorised') return refuse('einvoice_not_authorised', {}, { cause: error })
  if (error.fault === 'refused')
    return refuse('einvoice_office_refused', { said: error.said ?? '–' }, { cause: error })
  return refuse('einvoice_office_unavailable', {}, { cause: error })
}

const answered = <T>(call: Promise<T>): Promise<T> =>
  call.catch((error: unknown) => {
    throw refusalOf(error)
  })

/** The staff action that begins the authorisation: the address at the office. Throws `einvoice_not_configured`, `recent_sign_in_required`. */
export async function authorise(
  outsideContext: OutsideContext,
  { row }: On<object>,
): Promise<{ url: string }> {
  assertRecentSignIn(outsideContext)
  const office = officeOf(outsideContext, row)
  const state = await outsideContext.within(({ tx, actor }) =>
    beginAuthorisation(tx, row.id, actor.staff?.id ?? 0),
  )
  return { url: office.authoriseUrl(state) }
}

type Code = { readonly code: string; readonly state: string }

/**
 * The staff action that ends the authorisation with the code of the office, by the person who began it. Throws
 * `einvoice_not_configured`, `einvoice_authorisation_ended`, `einvoice_office_…`.
 */
export async function connect(
  outsideContext: OutsideContext,
  { row, input }: On<Code>,
): Promise<{ connected: true }> {
  const office = officeOf(outsideContext, row)
  const isOurs = await outsideContext.within(({ tx, actor }) =>
    takeAuthorisation(tx, { id: row.id, adminId: actor.staff?.id ?? 0, state: input.state }),
  )
  if (!isOurs) throw refuse('einvoice_authorisation_ended')
  const tokens = await answered(office.exchange(input.code))
  await outsideContext.within(async ({ tx, vault, now }) => {
    await tx
      .updateTable('tax_offices')
      .set(tokenColumns(vault, now, tokens))
      .where('id', '=', row.id)
      .execute()
  })
  return { connected: true }
}

/** Sends a document to the test system, so that a person sees that access and number are right. */
async function tryUpload(outsideContext: OutsideContext, office: TaxOffice): Promise<void> {
  const { vault, now, within } = outsideContext
  const { operator, cif, access } = await within(async ({ tx }) => {
    const own = await operatorOf(tx)
    if (own.seller.country !== officeCountry) throw refuse('einvoice_seller_abroad')
    return {
      operator: own,
      cif: (await cifOf(tx)) ?? '',
      access: await accessKept({ tx, vault, office }, now),
    }
  })
  const xml = Buffer.from(ubl(trialDocument(operator, now)))
  const file = { xml, isCreditNote: false, isConsumer: false, isAbroad: false }
  await answered(office.upload(access, cif, file, { isTrial: true }))
}

/** The kept token, without asking for another: the jobs do that. Throws `einvoice_not_authorised`. */
async function accessKept(
  { tx, vault, office }: Pick<Context, 'tx' | 'vault'> & { readonly office: TaxOffice },
  now: Date,
): Promise<string> {
  const row = await tx
    .selectFrom('tax_offices')
    .select(['access_sealed', 'access_ends_at'])
    .where('environment', '=', office.environment)
    .executeTakeFirstOrThrow()
  const isGood = row.access_ends_at !== null && Date.parse(row.access_ends_at) > now.getTime()
  if (row.access_sealed === null || !isGood || !(await mayCall(tx, 'upload')))
    throw refuse('einvoice_not_authorised')
  return vault.unseal(row.access_sealed)
}

/**
 * The staff action that sends documents from a day on, after an upload to the test system. Throws `einvoice_not_configured`,
 * `einvoice_not_authorised`, `einvoice_seller_abroad`, `einvoice_office_…`, `recent_sign_in_required`.
 */
export async function switchOn(
  outsideContext: OutsideContext,
  { row, input }: On<{ readonly from_day: string }>,
): Promise<{ is_on: boolean }> {
  assertRecentSignIn(outsideContext)
  await tryUpload(outsideContext, officeOf(outsideContext, row))
  await outsideContext.within(async ({ tx }) => {
    await tx
      .updateTable('tax_offices')
      .set({ is_on: true, from_day: input.from_day, failures: 0, paused_until: null })
      .where('id', '=', row.id)
      .execute()
    await collectDocuments(tx, { all: true })
    await enqueue(tx, 'tax-office.send', {}, { key: 'tax-office.send' })
  })
  return { is_on: true }
}

/** The staff action that ends sending; what was sent is followed to its end. */
export async function switchOff(context: Context, { row }: On<object>): Promise<{ is_on: boolean }> {
  assertRecentSignIn(context)
  await context.tx.updateTable('tax_offices').set({ is_on: false }).where('id', '=', row.id).execute()
  return { is_on: false }
}
