import { type RawBuilder, sql } from 'kysely'
import type { Env } from '#config/env.ts'
import type { Pool } from '#platform/db/pool.ts'
import { isDead } from '#staff/dead-jobs.ts'
import { type Finding, good, hint, stop, warn } from './finding.ts'
import { checkUnexplained } from './unexplained.ts'
import { checkUsage } from './usage.ts'

/** Reads one row of figures. */
async function read<R extends Record<string, unknown>>(pool: Pool, statement: RawBuilder<R>): Promise<R> {
  const {
    rows: [row],
  } = await statement.execute(pool.kysely)
  if (row === undefined) throw new Error('The statement always has one row.')
  return row
}

const seriesNames = {
  fiscal: { en: 'invoices', ro: 'facturi' },
  credit_note: { en: 'credit notes', ro: 'facturi de stornare' },
  proforma: { en: 'proforma invoices', ro: 'proforme' },
} as const

async function operator(pool: Pool): Promise<Finding[]> {
  const found = await read<{ operator: boolean; kinds: string[]; proforma: boolean }>(
    pool,
    sql`select exists (select from operator_profile) as operator, exists (select from proforma_series) as proforma,
      coalesce((select array_agg(distinct kind) from invoice_series), '{}') as kinds`,
  )
  const missing = [
    ...(['fiscal', 'credit_note'] as const).filter((kind) => !found.kinds.includes(kind)),
    ...(found.proforma ? [] : (['proforma'] as const)),
  ]
  const lacking = (language: 'en' | 'ro') => missing.map((kind) => seriesNames[kind][language]).join(', ')
  return [
    found.operator
      ? good('operator', 'its data is entered.', 'datele ei sunt completate.')
      : stop(
          'operator',
          'its data is missing, so no payment is taken and no document issued; an administrator enters it at /desk/company.',
          'datele ei lipsesc, deci nu se încasează plăți și nu se emit documente; un administrator le completează la /desk/company.',
        ),
    missing.length === 0
      ? good('series', 'documents of every kind have numbers.', 'documentele de orice fel au numere.')
      : stop(
          'series',
          `there is none for ${lacking('en')}, so none of these is issued; an administrator begins one at /desk/company.`,
          `nu există pentru ${lacking('ro')}, deci aceste documente nu se emit; un administrator începe o serie la /desk/company.`,
        ),
  ]
}

const oldRateDays = 6

async function rates(pool: Pool): Promise<Finding> {
  const { entered, all, old, unused } = await read<{
    entered: boolean
    all: string[]
    old: string[]
    unused: string[]
  }>(
    pool,
    sql`select exists (select from operator_profile) as entered, coalesce(array_agg(base order by base), '{}') as all,
      coalesce(array_agg(base order by base) filter (where used and is_old), '{}') as old,
      coalesce(array_agg(base order by base) filter (where not used and is_old), '{}') as unused
      from (select base, used, not counts or newest < clock_today() - ${oldRateDays}::int as is_old from fx_needs) n`,
  )
  if (!entered)
    return warn(
      'rates',
      'which ones are needed depends on the currency of the company, so its data comes first; enter it at /desk/company.',
      'care sunt necesare depinde de moneda companiei, deci întâi datele ei; completează-le la /desk/company.',
    )
  if (all.length === 0)
    return good(
      'rates',
      'everything is sold in the currency of the company, so none is needed.',
      'totul se vinde în moneda companiei, deci nu este nevoie de niciunul.',
    )
  if (old.length > 0)
    return stop(
      'rates',
      `${old.join(', ')} has no recent exchange rate, so no payment in it is taken, or soon none; fetch it or enter one at /desk/rates.`,
      `lipsește un curs de schimb recent (${old.join(', ')}), deci în această monedă nu se încasează plăți sau în curând nu se vor mai încasa; adu-l sau adaugă unul la /desk/rates.`,
    )
  if (unused.length > 0)
    return hint(
      'rates',
      `${unused.join(', ')} has no recent exchange rate; nobody pays in it yet, and it is fetched at /desk/rates before somebody does.`,
      `lipsește un curs de schimb recent (${unused.join(', ')}); nimeni nu plătește încă în această monedă, iar cursul se aduce la /desk/rates înainte de prima plată.`,
    )
  return good(
    'rates',
    `${all.join(', ')} has a recent exchange rate.`,
    `există un curs de schimb recent: ${all.join(', ')}.`,
  )
}

async function staff(pool: Pool): Promise<Finding> {
  const { admins } = await read<{ admins: number }>(
    pool,
    sql`select count(*)::int as admins from admins where role = 'admin' and disabled_at is null and auth_id is not null`,
  )
  return admins > 0
    ? good(
        'staff',
        `${admins === 1 ? 'one administrator is' : `${admins} administrators are`} active.`,
        admins === 1 ? 'un administrator este activ.' : `administratori activi: ${admins}.`,
      )
    : stop(
        'staff',
        'there is no administrator; open the link of npm run setup:link.',
        'nu există niciun administrator; deschide linkul dat de npm run setup:link.',
      )
}

const longestDueMinutes = 10

async function jobs(pool: Pool): Promise<Finding[]> {
  const { minutes, dead } = await read<{ minutes: number; dead: number }>(
    pool,
    sql`select coalesce(extract(epoch from now() - min(j.run_at) filter (where j.run_at <= now() and not ${isDead('j')})) / 60, 0)::int
        as minutes, count(*) filter (where ${isDead('j')})::int as dead
      from graphile_worker.jobs j where j.locked_at is null`,
  )
  return [
    minutes <= longestDueMinutes
      ? good('jobs', 'none is late.', 'niciuna nu întârzie.')
      : warn(
          'jobs',
          `the oldest has been due for ${minutes} minutes; start a replica with WORKERS=1, and look at its log.`,
          `cea mai veche așteaptă de ${minutes} min; pornește o replică cu WORKERS=1 și uită-te în jurnalul ei.`,
        ),
    ...(dead === 0
      ? []
      : [
          warn(
            'jobs',
            `${dead} failed for the last time; npm run jobs:list shows why, npm run jobs:retry -- --all retries them.`,
            `eșuate definitiv: ${dead}; npm run jobs:list arată de ce, npm run jobs:retry -- --all le reia.`,
          ),
        ]),
  ]
}

async function plans(pool: Pool): Promise<Finding> {
  const { offered } = await read<{ offered: number }>(
    pool,
    sql`select count(*)::int as offered from plans where state = 'offered'`,
  )
  return offered > 0
    ? good('plans', `${offered} are offered.`, `oferite: ${offered}.`)
    : hint(
        'plans',
        'none is offered, so panels are charged by use alone; check the prices at /desk/plans, which are examples at first.',
        'nu este oferit niciunul, deci panourile se facturează doar după consum; verifică prețurile la /desk/plans, care la început sunt exemple.',
      )
}

/** What a client gets by registering, which an operator should know before the first one does. */
async function trial(pool: Pool): Promise<Finding> {
  const { credit, currency, days } = await read<{ credit: string; currency: string; days: number }>(
    pool,
    sql`select trim_scale(q.trial_credit)::text as credit, u.code as currency, p.trial_days as days
      from billing_policies p, currency_policies q join currencies u on u.id = q.currency_id
      where u.code = coalesce((select base_currency::text from operator_profile), 'USD')`,
  )
  return good(
    'trial',
    `a new client begins with a credit of ${credit} ${currency} for ${days} days; change it at /desk/policies.`,
    `un client nou începe cu un credit de ${credit} ${currency} pentru ${days} zile; se schimbă la /desk/policies.`,
  )
}

async function brand(pool: Pool): Promise<Finding> {
  const { named } = await read<{ named: boolean }>(
    pool,
    sql`select exists (select from brands where name is not null) as named`,
  )
  return named
    ? good('brand', 'customers see your name.', 'clienții văd numele tău.')
    : hint(
        'brand',
        'customers see the name Portico; enter yours, and a logo, at /desk/brand.',
        'clienții văd numele Portico; completează-l pe al tău și un logo la /desk/brand.',
      )
}

async function backups(pool: Pool, env: Env): Promise<Finding> {
  const { hours } = await read<{ hours: number | null }>(
    pool,
    sql`select (select floor(extract(epoch from now() - (value #>> '{}')::timestamptz) / 3600)::int
      from settings where key = 'backup_at') as hours`,
  )
  if (hours === null)
    return hint(
      'backup',
      'npm run backup was never used here; make sure that the database and the files are backed up.',
      'npm run backup nu a fost folosit niciodată aici; asigură-te că baza de date și fișierele au o copie.',
    )
  const late = env.seed === 'none' && hours > 26
  return late
    ? warn(
        'backup',
        `the last one was made ${hours} hours ago; run npm run backup each night.`,
        `ultima a fost făcută acum ${hours} h; rulează npm run backup în fiecare noapte.`,
      )
    : good('backup', `the last one was made ${hours} hours ago.`, `ultima a fost făcută acum ${hours} h.`)
}

async function webhook(pool: Pool, { stripe }: Env): Promise<Finding[]> {
  if (stripe === undefined) return []
  const { days } = await read<{ days: number | null }>(
    pool,
    sql`select floor(extract(epoch from now() - max(received_at)) / 86400)::int as days from payment_events where provider = 'stripe'`,
  )
  return [
    days === null
      ? hint(
          'webhook',
          'no message of Stripe has arrived yet; send a test event from its dashboard, or look again after the first payment.',
          'nu a sosit încă niciun mesaj de la Stripe; trimite un eveniment de test din contul Stripe sau verifică din nou după prima plată.',
        )
      : good(
          'webhook',
          `messages of Stripe arrive; the last one ${days} days ago.`,
          `mesajele Stripe sosesc; ultimul acum ${days} zile.`,
        ),
  ]
}

/** Checks what the operator has entered, and what is stuck. */
export async function checkSetUp(pool: Pool, env: Env): Promise<Finding[]> {
  return [
    ...(await operator(pool)),
    await rates(pool),
    ...(await webhook(pool, env)),
    await staff(pool),
    ...(await jobs(pool)),
    ...(await checkUsage(pool)),
    await plans(pool),
    await trial(pool),
    await brand(pool),
    await backups(pool, env),
    ...(await checkUnexplained(pool)),
  ]
}
