import * as z from 'zod/mini'
import { resource } from '../jsonapi.ts'
import { panelResource } from './panel-resource.ts'

export const domains = resource('domains', {
  description: 'A domain served by a panel, as its engine reports it.',
  ...panelResource,
  attributes: { ...panelResource.attributes, mailboxes: z.int(), tls_expires_on: z.nullable(z.iso.date()) },
})
