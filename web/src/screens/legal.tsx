import { QueryClientProvider, useQuery } from '@tanstack/react-query'
import { useMatches } from '@tanstack/react-router'
import { Suspense } from 'react'
import { queryClient } from '../api/client.ts'
import { action } from '../api/query.ts'
import classes from '../components/guest/guest.module.css'
import { Loaded } from '../components/loaded.tsx'
import { href, routes } from '../routes.ts'
import { useLanguage } from '../stores/language.ts'
import { accessToken } from '../stores/session.ts'
import { m } from '../texts/compiled/messages.js'
import { dayInWords } from '../ui/days.ts'
import { lazily } from '../ui/loading/lazily.ts'

const Markdown = lazily(async () => (await import('../ui/markdown/markdown.tsx')).Markdown)

const AcceptTerms = lazily(async () => (await import('../components/guest/accept-terms.tsx')).AcceptTerms)

type Kind = 'terms' | 'privacy'

function Text({ kind }: { kind: Kind }) {
  const language = useLanguage()
  const query = useQuery(action('published-texts', 'current', { payload: { kind } }))
  return (
    <Loaded query={query} rows={4}>
      {({ version, from_day, body_en, body_ro }) =>
        version === null || from_day === null ? (
          <div className={classes.stack}>
            <p>{m.legal_missing()}</p>
            <a href={href('login')} className={classes.link}>
              {m.to_login()}
            </a>
          </div>
        ) : (
          <>
            <p className={classes.lead}>
              {m.legal_version({ version, day: dayInWords(from_day, language) })}
            </p>
            <Suspense>
              <Markdown source={(language === 'ro' ? body_ro : body_en) ?? ''} />
              {kind === 'terms' && accessToken() !== undefined && <AcceptTerms version={version} />}
            </Suspense>
          </>
        )
      }
    </Loaded>
  )
}

/** The operator's text as it applies today, or that none is published. */
export default function LegalScreen() {
  const kind = useMatches({
    select: (matches): Kind => (matches.at(-1)?.staticData.name === 'privacy' ? 'privacy' : 'terms'),
  })
  return (
    <article className={`card ${classes.card} ${classes.document}`}>
      <h1 tabIndex={-1} className={classes.title}>
        {routes[kind].title()}
      </h1>
      {/* Pages without sign-in have no queries of their own. */}
      <QueryClientProvider client={queryClient}>
        <Text kind={kind} />
      </QueryClientProvider>
    </article>
  )
}
