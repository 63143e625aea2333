import { useQuery } from '@tanstack/react-query'
import { useUser } from '../../api/queries/user.ts'
import { list } from '../../api/query.ts'
import { PageHead } from '../../components/layout/page-head.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { m } from '../../texts/compiled/messages.js'
import classes from '../company/company.module.css'
import { AccessForm } from '../policies/access-form.tsx'
import { AmountsForm } from '../policies/amounts-form.tsx'
import { PolicyChanges } from '../policies/changes.tsx'
import { DaysForm } from '../policies/days-form.tsx'
import { PolicyTimes } from '../policies/times.tsx'

/** The rules of debts, trials and payments, and of access to accounts. */
export default function PoliciesScreen() {
  const { staff } = useUser()
  const days = useQuery(list('billing-policies'))
  const amounts = useQuery(list('currency-policies', { sort: 'currency' }))
  return (
    <>
      <PageHead title={m.desk_policies_title()} lead={m.desk_policies_lead()} />
      <div className={classes.page}>
        {staff?.role !== 'admin' && <p>{m.desk_policies_read_only()}</p>}
        <Loaded query={days} rows={8}>
          {({ items }) => items.map((policy) => <DaysForm key={policy.id} policy={policy} />)}
        </Loaded>
        <Loaded query={amounts} rows={6}>
          {({ items }) => items.map((policy) => <AmountsForm key={policy.id} policy={policy} />)}
        </Loaded>
        {staff?.role === 'admin' && <AccessForm />}
        <PolicyTimes />
        <PolicyChanges />
      </div>
    </>
  )
}
