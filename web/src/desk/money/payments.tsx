import { PageHead } from '../../components/layout/page-head.tsx'
import { m } from '../../texts/compiled/messages.js'
import { AllPayments } from '../payments/all.tsx'
import { Disputes } from '../payments/disputes.tsx'
import { Payouts } from '../payments/payouts.tsx'
import { shownPayments } from '../payments/words.ts'
import { StateChoice, useShownState } from '../queues/state-choice.tsx'

function Shown({ shown }: { shown: keyof typeof shownPayments | undefined }) {
  if (shown === 'disputes') return <Disputes />
  if (shown === 'payouts') return <Payouts />
  return <AllPayments state={shown} />
}

/** Payments of all clients, in every state unless one is asked for. */
export default function PaymentsScreen() {
  const shown = useShownState(shownPayments, 'all')
  return (
    <>
      <PageHead title={m.desk_payments_title()} lead={m.desk_payments_lead()}>
        <StateChoice states={shownPayments} first="all" />
      </PageHead>
      <Shown shown={shown} />
    </>
  )
}
