import { brands } from '@portico/contract/resources/brands.ts'
import { sql } from 'kysely'
import { outside, serve } from '#platform/jsonapi/declare/serve.ts'
import { staffAlone } from '#staff/roles.ts'
import { removeLogo, setLogo } from './logo.ts'
import { save } from './save-brand.ts'

const admins = staffAlone('admin')

export default serve(brands, {
  table: 'brands',
  ofStaff: true,
  policy: { read: admins, save: admins, setLogo: admins, removeLogo: admins },
  columns: {
    logo: () => sql`case when brands.logo_sha256 is not null then '/brand/logo-' || left(brands.logo_sha256, 16)
      || case brands.logo_type when 'image/png' then '.png' when 'image/jpeg' then '.jpg' else '.webp' end end`,
  },
  actions: { save: outside(save), setLogo: outside(setLogo), removeLogo: outside(removeLogo) },
})
