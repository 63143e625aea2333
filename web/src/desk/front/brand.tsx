import { useQuery } from '@tanstack/react-query'
import { list } from '../../api/query.ts'
import { PageHead } from '../../components/layout/page-head.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { m } from '../../texts/compiled/messages.js'
import { BrandForm } from '../brand/brand-form.tsx'
import { LogoSection } from '../brand/logo-section.tsx'
import classes from '../company/company.module.css'

/** How the portal looks to customers: name, logo, colour and footers. */
export default function BrandScreen() {
  const query = useQuery(list('brands'))
  return (
    <>
      <PageHead title={m.desk_brand_title()} lead={m.desk_brand_lead()} />
      <Loaded query={query} rows={8}>
        {({ items: [brand] }) =>
          brand && (
            <div className={classes.page}>
              <LogoSection brand={brand} />
              <BrandForm brand={brand} />
            </div>
          )
        }
      </Loaded>
    </>
  )
}
