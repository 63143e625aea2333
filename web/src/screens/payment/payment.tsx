import { useQuery } from '@tanstack/react-query'
import { billingOf } from '../../api/queries/billing.ts'
import { PageHead } from '../../components/layout/page-head.tsx'
import { Pending } from '../../components/loaded.tsx'
import { AccountChoice, useAccount } from '../../components/money/account.tsx'
import { Deposit } from '../../components/pay/deposit.tsx'
import pay from '../../components/pay/pay.module.css'
import { idIn, textIn, useSearchState } from '../../components/table/search-state.ts'
import { m } from '../../texts/compiled/messages.js'
import { Bone } from '../../ui/loading/bones.tsx'
import { Outcome } from './outcome.tsx'

/** Tops up the balance and shows the outcome. */
export default function PaymentScreen() {
  const account = useAccount()
  const [given] = useSearchState()
  const transaction = idIn(given.transaction)
  const query = useQuery({
    ...billingOf(account),
    enabled: transaction === undefined,
  })
  const profile = query.data?.items[0]
  return (
    <>
      <PageHead title={m.payment_title()} lead={m.payment_lead()}>
        {transaction === undefined && <AccountChoice />}
      </PageHead>
      <div className={pay.page}>
        {transaction !== undefined && <Outcome key={transaction} id={transaction} />}
        {transaction === undefined && profile && (
          <Deposit key={account} account={account} suggested={textIn(given.amount)} profile={profile} />
        )}
        {transaction === undefined && !profile && (
          <div className="card">
            <Pending query={query}>
              <Bone height={320} />
            </Pending>
          </div>
        )}
      </div>
    </>
  )
}
