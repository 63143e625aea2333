import type { Language } from '@portico/contract/refusals/refusal.ts'
import type { FastifyRequest } from 'fastify'

const fromCookie = (header = ''): string | undefined => /(?:^|;\s*)lang=([a-z]{2})(?:;|$)/.exec(header)?.[1]

/**
 * The best of the offered languages by an Accept-Language header; undefined when it lists none of them. The
 * library for `accept-encoding` matches whole names, so `ro-RO` would not match `ro`.
 */
export function preferredLanguage(header: string, offered: readonly string[]): string | undefined {
  let best: { name: string; weight: number } | undefined
  for (const part of header.split(',').slice(0, 20)) {
    const [range = '', ...parameters] = part.toLowerCase().split(';')
    const name = range.trim().split('-', 1)[0] ?? ''
    const q = parameters.map((one) => /^\s*q\s*=\s*([\d.]+)/.exec(one)?.[1]).find((one) => one !== undefined)
    const weight = q === undefined ? 1 : Number(q)
    if (offered.includes(name) && weight > (best?.weight ?? 0)) best = { name, weight }
  }
  return best?.name
}

type Request = Pick<FastifyRequest, 'headers'> & Partial<Pick<FastifyRequest, 'language'>>

/**
 * The language of the response: the choice in this browser (cookie), else the account's, else the best that
 * the client accepts, else English. A program with an API key gets English.
 */
export function languageOf({ headers, language }: Request): Language {
  if (language === 'of a program') return 'en'
  const named = fromCookie(headers.cookie)
  if (named === 'en' || named === 'ro') return named
  const said = language ?? preferredLanguage(headers['accept-language'] ?? '', ['en', 'ro'])
  return said === 'ro' ? 'ro' : 'en'
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The language of the authenticated account; a program has none. */
    language: Language | 'of a program' | undefined
  }
}
