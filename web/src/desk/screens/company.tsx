import { seriesKinds } from '@portico/contract/resources/operator-profiles.ts'
import { useQuery } from '@tanstack/react-query'
import { list } from '../../api/query.ts'
import type { Row } from '../../api/rows.ts'
import { PageHead } from '../../components/layout/page-head.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { m } from '../../texts/compiled/messages.js'
import classes from '../company/company.module.css'
import { CompanyForm } from '../company/company-form.tsx'
import { SeriesOfNumbers } from '../company/series.tsx'

type Company = Row<'operator-profiles'>

/** Whether every kind of document can be issued. */
const isComplete = (company: Company | undefined) =>
  seriesKinds.every((kind) => company?.series.some((one) => one.kind === kind && one.active))

/** The company that documents are issued by, and the series that they are numbered in. */
export default function CompanyScreen() {
  const query = useQuery(list('operator-profiles'))
  return (
    <>
      <PageHead title={m.desk_company_title()} lead={m.desk_company_lead()} />
      <Loaded query={query} rows={8}>
        {({ items: [company] }) => (
          <div className={classes.page}>
            {!isComplete(company) && <p className={classes.missing}>{m.desk_company_missing()}</p>}
            <CompanyForm company={company} />
            {company && <SeriesOfNumbers series={company.series} />}
          </div>
        )}
      </Loaded>
    </>
  )
}
