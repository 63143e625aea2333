import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { fullName } from '../../api/queries/user.ts'
import { one } from '../../api/query.ts'
import { useNext } from '../../components/guest/search.ts'
import { PageHead } from '../../components/layout/page-head.tsx'
import { useAccount } from '../../components/money/account.tsx'
import { NewCard } from '../../components/new-card/new-card.tsx'
import { cardsAddress } from '../../components/pay/cards-address.ts'
import { idIn, useSearchState } from '../../components/table/search-state.ts'
import { m } from '../../texts/compiled/messages.js'
import { Returned } from './returned.tsx'

/** The purpose of the card and, in another person's account, whose it will be. */
function useLead(): string | undefined {
  const account = useAccount()
  const { data } = useQuery({ ...one('clients', account ?? 0), enabled: account !== undefined })
  if (account === undefined) return m.card_lead()
  return data && m.card_lead_of({ name: fullName(data) })
}

/** Adds a card: its number goes to the payment provider and never to the portal. */
export default function AddNewCardScreen() {
  const [given] = useSearchState()
  const asked = idIn(given.setup)
  const account = useAccount()
  const back = useNext() ?? cardsAddress(account)
  const navigate = useNavigate()
  return (
    <>
      <PageHead title={m.add_new_card_title()} lead={useLead()} />
      {asked === undefined ? (
        <NewCard back={back} onAdded={() => void navigate({ to: back })} />
      ) : (
        <Returned id={asked} />
      )}
    </>
  )
}
