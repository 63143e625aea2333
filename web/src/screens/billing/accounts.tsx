import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { billingOf } from '../../api/queries/billing.ts'
import { fullName, useUser } from '../../api/queries/user.ts'
import { one } from '../../api/query.ts'
import { useAccount } from '../../components/money/account.tsx'
import { href } from '../../routes.ts'
import { m } from '../../texts/compiled/messages.js'
import { money } from '../../ui/format.ts'
import { Bone } from '../../ui/loading/bones.tsx'
import { Section, SectionList, SectionRow } from '../../ui/section.tsx'
import { Status } from '../../ui/status.tsx'
import { lastingInWords } from './runway/runway-words.ts'

/** One account: whose it is, what it holds and how long that lasts. */
function Account({ id, isOwn }: { id: number; isOwn: boolean }) {
  const shown = useAccount()
  const owner = useQuery(one('clients', id)).data
  const profile = useQuery(billingOf(isOwn ? undefined : id)).data?.items[0]
  const isShown = isOwn ? shown === undefined : shown === id
  return (
    <SectionRow
      title={
        <>
          <Link
            to={href('billing')}
            search={{ account: isOwn ? undefined : id }}
            aria-current={isShown || undefined}
          >
            {owner ? fullName(owner) : m.loading()}
          </Link>
          <Status tone="idle">{isOwn ? m.account_own() : m.account_shared()}</Status>
        </>
      }
      text={profile ? lastingInWords(profile) : <Bone width={160} />}
    >
      {profile && <strong className="numbers">{money(profile.available, profile.currency)}</strong>}
    </SectionRow>
  )
}

/** Every account whose billing the person reads, for those who read more than their own. */
export function Accounts() {
  const { id: own, access } = useUser()
  const others = access.billing.filter((id) => id !== own)
  if (others.length === 0) return null
  return (
    <Section id="accounts" title={m.accounts_title()}>
      <SectionList label={m.accounts_title()}>
        {[own, ...others].map((id) => (
          <Account key={id} id={id} isOwn={id === own} />
        ))}
      </SectionList>
    </Section>
  )
}
