import { deskHome } from '@portico/contract/resources/desk-home.ts'
import { serve } from '#platform/jsonapi/declare/serve.ts'
import { moneyStaff } from '#sharing/reach.ts'
import { allStaff, staffAlone } from '#staff/roles.ts'
import { figures } from './figures.ts'
import { countSearch, find } from './find.ts'
import { needs } from './needs.ts'

const ofMoney = staffAlone(...moneyStaff.roles)

export default serve(deskHome, {
  table: 'admins',
  ofStaff: true,
  policy: {
    read: staffAlone(...allStaff),
    needs: staffAlone(...allStaff),
    find: staffAlone(...allStaff),
    figures: ofMoney,
    readFigures: ofMoney,
  },
  actions: { needs, find, figures },
  counted: { find: countSearch },
})
