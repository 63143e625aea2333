import { Button, Group } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { userQuery, useUser } from '../../api/queries/user.ts'
import { inWords } from '../../api/refusal-words.ts'
import { useAction } from '../../api/write.ts'
import { m } from '../../texts/compiled/messages.js'
import { useSignOut } from '../person.ts'
import { home } from '../sign-in/home-path.ts'
import classes from './guest.module.css'
import { useNext } from './search.ts'

function Ask({ version }: { version: string }) {
  const { id } = useUser()
  const action = useAction('clients', 'acceptTerms')
  const navigate = useNavigate()
  const signOut = useSignOut()
  const next = useNext() ?? home()
  const accept = () =>
    action.mutate(
      { id, payload: { version } },
      { onSuccess: () => void navigate({ href: next, replace: true }) },
    )
  return (
    <section className={classes.stack} aria-labelledby="accept-terms">
      <h2 id="accept-terms">{m.terms_accept_title()}</h2>
      <p>{m.terms_accept_text()}</p>
      <div role="alert">{action.error && <p className={classes.alert}>{inWords(action.error)}</p>}</div>
      <Group gap={8}>
        <Button loading={action.isPending} onClick={accept}>
          {m.terms_accept_verb()}
        </Button>
        <Button variant="default" onClick={() => void signOut()}>
          {m.sign_out()}
        </Button>
      </Group>
    </section>
  )
}

/** Asks a signed-in person to accept the shown terms, if they have to before they go on. */
export function AcceptTerms({ version }: { version: string }) {
  const { data } = useQuery({ ...userQuery, retry: false })
  return data?.terms_due === version ? <Ask version={version} /> : null
}
