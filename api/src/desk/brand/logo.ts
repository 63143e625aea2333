import { createHash } from 'node:crypto'
import fs from 'node:fs/promises'
import { logoExtensions, logoLimits } from '@portico/contract/rules/brand/logo.ts'
import { logoHash, logoPath } from '#platform/brand/brand.ts'
import type { OutsideContext } from '#platform/context.ts'
import { refuse } from '#platform/errors/problem.ts'
import { imageHead } from '#platform/files/image-size.ts'
import { hasPixels } from '#platform/files/png-pixels.ts'
import { assertRecentSignIn } from '#platform/recent-sign-in.ts'
import { type AdmitParts, admitFile, admittedName } from '#tickets/files/admit.ts'
import { changeBrand } from './save-brand.ts'

declare module '#platform/context.ts' {
  interface Ports {
    /** Admits files as those of tickets are. */
    readonly admission: AdmitParts
  }
}

const at = { source: { pointer: '/data/content' } }

/** Throws `logo_type`, and what the admission of any file throws; the bytes without their metadata, and their media type. */
async function admitted(parts: AdmitParts, filename: string, content: Buffer) {
  const name = admittedName(filename)
  if (name === undefined || !logoExtensions.some((one) => one === name.extension))
    throw refuse('logo_type', {}, at)
  let bytes = content
  // It is kept in the database, where every replica finds it, so the storage only hands it over.
  const keep = async (_: string, file: string) => {
    bytes = await fs.readFile(file)
  }
  const { mime } = await admitFile({ ...parts, storage: { ...parts.storage, keep } }, name, async (file) => {
    await fs.writeFile(file, content, { flag: 'wx', mode: 0o600 })
    return { size: content.length, sha256: createHash('sha256').update(content).digest() }
  })
  return { mime, bytes }
}

/** Throws `logo_size`. */
function assertSize({ width, height }: { readonly width: number; readonly height: number }): void {
  const { leastSide: least, mostSide: most, ratio } = logoLimits
  const [short, long] = [Math.min(width, height), Math.max(width, height)]
  if (short >= least && long <= most && long <= ratio * short) return
  throw refuse('logo_size', { width, height, least, most, ratio }, at)
}

const kilobytes = (bytes: number) => Math.ceil(bytes / 1024)

/**
 * The action of administrators that sets the logo. Throws `recent_sign_in_required`, `logo_type`, `logo_too_large`, `logo_size`,
 * `logo_damaged`, and what the admission of any file throws.
 */
export async function setLogo(
  outsideContext: OutsideContext,
  { input }: { readonly input: { readonly filename: string; readonly content: string } },
) {
  assertRecentSignIn(outsideContext)
  const content = Buffer.from(input.content, 'base64')
  if (content.length > logoLimits.bytes)
    throw refuse('logo_too_large', { most: kilobytes(logoLimits.bytes), size: kilobytes(content.length) }, at)
  const { mime, bytes } = await admitted(outsideContext.ports.admission, input.filename, content)
  const head = imageHead(mime, bytes)
  if (head === undefined) throw refuse('logo_type', {}, at)
  assertSize(head)
  // Documents decode a PNG, so a damaged one would fail every document that is made from now on.
  if (mime === 'image/png' && head.prints && !(await hasPixels(bytes))) throw refuse('logo_damaged', {}, at)
  const hash = logoHash(bytes)
  await changeBrand(outsideContext, {
    logo: bytes,
    logo_type: mime,
    logo_sha256: hash,
    logo_width: head.width,
    logo_height: head.height,
    logo_prints: head.prints,
  })
  return { logo: logoPath(mime, hash) }
}

/** The action of administrators that goes back to the logo of the portal. Throws `recent_sign_in_required`. */
export async function removeLogo(outsideContext: OutsideContext) {
  assertRecentSignIn(outsideContext)
  await changeBrand(outsideContext, {
    logo: null,
    logo_type: null,
    logo_sha256: null,
    logo_width: null,
    logo_height: null,
    logo_prints: false,
  })
  return { logo: null }
}
