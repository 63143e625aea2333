import { currencies } from '@portico/contract/resources/currencies.ts'
import { lookup } from '../jsonapi/serve.ts'

export default lookup(currencies, { table: 'currencies', order: 'code' })
