import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Database } from '#platform/db/pool.ts'

type InBoth = { readonly en: string | null; readonly ro: string | null }

/** How the portal looks to customers. */
export type Brand = {
  /** The portal's name. */
  readonly name: string
  /** Null: the accent of the portal. */
  readonly accent: string | null
  /** Below the pages that need no sign-in, and below letters. */
  readonly legal: InBoth
  readonly letters: InBoth
  readonly logo: { readonly path: string; readonly width: number; readonly height: number } | null
  /** Whether something is announced now, which pages are marked for. */
  readonly hasNews: boolean
}

const nothing: InBoth = { en: null, ro: null }

/** The portal as it comes. */
export const plainBrand: Brand = {
  name: 'Portico',
  accent: null,
  legal: nothing,
  letters: nothing,
  logo: null,
  hasNews: false,
}

const extensions: Readonly<Record<string, string | undefined>> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/webp': 'webp',
}

/** The path of a logo, which changes with its bytes, so that browsers may keep it for good. */
export const logoPath = (type: string, sha256: string): string =>
  `/brand/logo-${sha256.slice(0, 16)}.${extensions[type] ?? 'png'}`

/** The SHA-256 of a logo, in hexadecimal. */
export const logoHash = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

/** SQL: whether something is announced now, to whomever. */
const hasNews = sql<boolean>`exists (select from announcements
  where starts_at <= clock_now() and (ends_at is null or ends_at > clock_now()))`

/** What the operator entered of its brand, and whether it announces something. */
export async function readBrand(db: Database): Promise<Brand> {
  const row = await db
    .selectFrom('brands')
    .select(['name', 'accent', 'legal_en', 'legal_ro', 'letters_en', 'letters_ro'])
    .select(['logo_type', 'logo_sha256', 'logo_width', 'logo_height'])
    .select(hasNews.as('has_news'))
    .executeTakeFirstOrThrow()
  const { logo_type: type, logo_sha256: hash, logo_width: width, logo_height: height } = row
  return {
    name: row.name ?? plainBrand.name,
    accent: row.accent,
    legal: { en: row.legal_en, ro: row.legal_ro },
    letters: { en: row.letters_en, ro: row.letters_ro },
    logo:
      type === null || hash === null || width === null || height === null
        ? null
        : { path: logoPath(type, hash), width, height },
    hasNews: row.has_news,
  }
}

/** Changes with every change of the brand, and when an announcement begins or ends. */
export async function readBrandVersion(db: Database): Promise<string> {
  const { rows } = await sql<{
    version: string
  }>`select version || ' ' || ${hasNews} as version from brands`.execute(db)
  return rows[0]?.version ?? ''
}
