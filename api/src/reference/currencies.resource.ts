import { currencies } from '@portico/contract/resources/currencies.ts'
import { lookup } from '#platform/jsonapi/declare/serve.ts'

export default lookup(currencies, { table: 'currencies', order: 'code' })
