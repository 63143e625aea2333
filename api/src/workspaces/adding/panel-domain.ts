import { domainToASCII } from 'node:url'
import { type DomainRule, hostName } from '@portico/contract/engine/offers.ts'
import type { EngineCapabilities } from '@portico/contract/engine/wire.ts'
import { parse } from 'tldts'
import * as z from 'zod/mini'
import { refuse } from '#platform/errors/problem.ts'

const at = { source: { pointer: '/data/attributes/domain' } }

/** Whether a panel of this plan is made with a domain: as its plan says, else as its engine does. */
function ruleOf({ domain, plan_details }: EngineCapabilities, plan: string | null): DomainRule {
  return plan_details?.find(({ code }) => code === plan)?.domain ?? domain ?? 'none'
}

/**
 * A domain as DNS writes it: lower case, other scripts in ASCII, no dot at its end. Throws `domain_invalid`,
 * `domain_is_address`, and `domain_is_suffix` for one that is nobody's own.
 */
function asciiDomain(given: string): string {
  const ascii = domainToASCII(given.trim().replace(/\.$/, '')).toLowerCase()
  const { isIp, publicSuffix } = parse(ascii, { allowPrivateDomains: true })
  if (isIp === true) throw refuse('domain_is_address', {}, at)
  if (!z.safeParse(hostName, ascii).success) throw refuse('domain_invalid', {}, at)
  if (publicSuffix === ascii) throw refuse('domain_is_suffix', { domain: ascii }, at)
  return ascii
}

/** The domain of a new panel. Throws `domain_needed` and `domain_not_offered`, as its engine makes such panels. */
export function domainOfNew(
  capabilities: EngineCapabilities,
  { plan, domain }: { readonly plan: string | null; readonly domain: string | null },
): string | null {
  const rule = ruleOf(capabilities, plan)
  if (domain === null) {
    if (rule === 'required') throw refuse('domain_needed', {}, at)
    return null
  }
  if (rule === 'none') throw refuse('domain_not_offered', {}, at)
  return asciiDomain(domain)
}
