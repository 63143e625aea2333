import * as z from 'zod/mini'
import { resource } from '../jsonapi.ts'
import { panelResource } from './panel-resource.ts'

export const domains = resource('domains', {
  description: 'A domain served by a panel, as its engine reports it.',
  ...panelResource,
  attributes: {
    ...panelResource.attributes,
    mailboxes: z.int(),
    tls_expires_on: z.nullable(z.iso.date()),
    /** Null where there is none, or its engine does not say. */
    certificate: z.nullable(z.object({ issuer: z.string(), expires_at: z.string(), renews: z.boolean() })),
    /** `delegated`: whether the Internet asks these servers for the domain; null when that is not known. */
    dns: z.nullable(
      z.object({
        servers: z.array(z.string()),
        delegated: z.nullable(z.boolean()),
        dnssec: z.boolean(),
      }),
    ),
  },
})
