import { admins } from '@portico/contract/resources/admins.ts'
import { nobody } from '../jsonapi/policy.ts'
import { serve } from '../jsonapi/serve.ts'

export default serve(admins, {
  table: 'admins',
  // A client knows the staff who wrote to them and nobody else; until there are tickets, that is nobody.
  policy: { read: nobody },
})
