import { Button } from '@mantine/core'
import { QueryClientProvider, useQuery } from '@tanstack/react-query'
import { queryClient } from '../../api/client.ts'
import { userQuery } from '../../api/queries/user.ts'
import { list } from '../../api/query.ts'
import { DetailsForm } from '../../components/details/details-form.tsx'
import { GuestCard } from '../../components/guest/card.tsx'
import { GoTo } from '../../components/guest/go-to.tsx'
import classes from '../../components/guest/guest.module.css'
import { toward, useNext } from '../../components/guest/search.ts'
import { LoadFailure } from '../../components/load-failure.tsx'
import { home } from '../../components/sign-in/home-path.ts'
import { href } from '../../routes.ts'
import { accessToken } from '../../stores/session.ts'
import { m } from '../../texts/compiled/messages.js'
import { Bone } from '../../ui/loading/bones.tsx'

const registerDetails = list('register-details', { page: { size: 1 } })

function Details() {
  const user = useQuery(userQuery)
  const before = useQuery(registerDetails)
  const next = useNext() ?? home()
  const failed = [user, before].find(({ isError }) => isError)
  if (failed) return <LoadFailure isPage error={failed.error} onRetry={() => void failed.refetch()} />
  if (!user.data || !before.data) return <Bone height={480} />
  // Sent once; afterwards they are changed on the account page.
  if (before.data.items.length > 0) return <GoTo address={next} />
  return (
    <DetailsForm user={user.data} source="email">
      <a href={next} className={classes.link}>
        {m.details_later()}
      </a>
    </DetailsForm>
  )
}

/** Asks a new client for their details after the e-mail was confirmed; they may skip it. */
export default function RegisterDetailsScreen() {
  if (accessToken() === undefined)
    return (
      <GuestCard title={m.register_details_title()} lead={m.details_sign_in()}>
        <Button component="a" href={toward(href('login'), href('register-details'))} fullWidth>
          {m.login_title()}
        </Button>
      </GuestCard>
    )
  return (
    <QueryClientProvider client={queryClient}>
      <GuestCard title={m.register_details_title()} lead={m.details_lead()}>
        <Details />
      </GuestCard>
    </QueryClientProvider>
  )
}
