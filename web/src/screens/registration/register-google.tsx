import { useUser } from '../../api/queries/user.ts'
import { DetailsForm } from '../../components/details/details-form.tsx'
import { GuestCard } from '../../components/guest/card.tsx'
import { GoTo } from '../../components/guest/go-to.tsx'
import { useNext } from '../../components/guest/search.ts'
import { home } from '../../components/sign-in/home-path.ts'
import { m } from '../../texts/compiled/messages.js'

/** Completes an account that was created with Google; nothing else is possible before. */
export default function RegisterGoogleScreen() {
  const user = useUser()
  const next = useNext() ?? home()
  if (user.google_process !== 0) return <GoTo address={next} />
  return (
    <GuestCard title={m.register_google_title()} lead={m.details_google_lead({ email: user.email })}>
      <DetailsForm user={user} source="google" />
    </GuestCard>
  )
}
