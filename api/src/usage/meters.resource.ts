import { meters } from '@portico/contract/resources/meters.ts'
import { lookup } from '#platform/jsonapi/declare/serve.ts'

export default lookup(meters, { table: 'meters', filters: { code: 'code' }, order: 'code' })
