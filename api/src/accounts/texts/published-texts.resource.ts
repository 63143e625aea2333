import { publishedTexts } from '@portico/contract/resources/published-texts.ts'
import { reason } from '#platform/errors/problem.ts'
import { anybody } from '#platform/jsonapi/declare/policy.ts'
import { serve } from '#platform/jsonapi/declare/serve.ts'
import { allStaff, staffAlone } from '#staff/roles.ts'
import { currentText, publish } from './texts.ts'

const open = { ...anybody, roles: allStaff }

export default serve(publishedTexts, {
  table: 'published_texts',
  policy: { read: open, current: open, publish: staffAlone('admin') },
  filters: { kind: 'kind' },
  order: '-from_day',
  actions: { current: currentText, publish },
  constraints: {
    published_texts_version: { field: 'version', refusal: reason('text_version_taken') },
    published_texts_day: { field: 'from_day', refusal: reason('text_day_taken') },
  },
})
