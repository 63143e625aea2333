import path from 'node:path'
import type { FastifyRequest } from 'fastify'
import type { Env } from '#config/env.ts'
import type { Brand } from '#platform/brand/brand.ts'
import { routeNotFound } from '#platform/http/errors.ts'
import { documentHeaders } from '#platform/http/headers.ts'
import { deskOpenTo } from '#platform/http/trust.ts'
import { scriptHashes } from './documents.ts'
import { type Dress, dressedPages } from './dressed-pages.ts'

/** The folder of the desk's own build inside that of the browser app, and the first part of its addresses. */
export const deskFolder = 'desk'

/** Whether a path is of the desk. */
export const isDesk = (at: string): boolean => /^\/desk(?:\/|$)/.test(at)

/** A hook that hides files from those outside the networks of staff. */
export const onDeskNetworks = (networks: Env['deskNetworks']) => {
  const isOpenTo = deskOpenTo(networks)
  return async (request: FastifyRequest): Promise<void> => {
    if (!isOpenTo(request.ip)) throw routeNotFound(request)
  }
}

/** The pages of the desk, whose policy allows no other origin, not even the payment provider. */
export const deskPages = (
  webDist: string | null,
  { publicUrl, deskNetworks }: Pick<Env, 'publicUrl' | 'deskNetworks'>,
  brand: () => Brand,
  dress?: Dress,
) => ({
  isOpenTo: deskOpenTo(deskNetworks),
  pages: dressedPages(webDist && path.join(webDist, deskFolder), brand, { dress, withNews: false }),
  headers: documentHeaders(publicUrl, scriptHashes(webDist), null, false),
})
