import { invoiceDrafts } from '@portico/contract/resources/invoice-drafts.ts'
import { sql } from 'kysely'
import { serve } from '#platform/jsonapi/declare/serve.ts'
import { moneyStaff, moneyWriters } from '#sharing/reach.ts'
import { staffAlone } from '#staff/roles.ts'
import { previewDraft } from './manual-invoice.ts'

const writers = staffAlone(...moneyWriters.roles)
const readers = staffAlone(...moneyStaff.roles)

export default serve(invoiceDrafts, {
  table: 'invoice_drafts',
  ofStaff: true,
  routine: true,
  policy: { read: readers, create: writers, update: writers, delete: writers, previewInvoice: readers },
  columns: {
    author_name: () => sql`(select a.display_name from admins a where a.id = invoice_drafts.admin_id)`,
    net: () => sql`(select sum((l ->> 'quantity')::numeric * (l ->> 'unit_price')::numeric)
      from jsonb_array_elements(invoice_drafts.lines) l)`,
    currency: () => sql`(select c.code from currencies c join clients k on k.currency_id = c.id
      where k.id = invoice_drafts.client_id)`,
  },
  fill: ({ actor: { staff } }) => {
    if (staff === undefined) throw new Error('The policy lets staff alone through.')
    return { admin_id: staff.id }
  },
  spread: { lines: (lines) => ({ lines: JSON.stringify(lines) }) },
  relationships: { client: 'client_id' },
  filters: { client_id: 'client_id' },
  order: '-createdAt',
  actions: { previewInvoice: previewDraft },
})
