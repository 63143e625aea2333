import { Button } from '@mantine/core'
import { QueryClientProvider, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { queryClient } from '../../api/client.ts'
import { action } from '../../api/query.ts'
import { dismissedNews } from '../../stores/dismissed-news.ts'
import { inLanguage } from '../../stores/language.ts'
import { m } from '../../texts/compiled/messages.js'
import classes from './banner.module.css'

const pollMs = 60_000

/** What the operator announces now, until the reader closes it. */
function Current() {
  const { data } = useQuery({
    ...action('announcements', 'current', { payload: {} }),
    refetchInterval: pollMs,
  })
  const [closed, setClosed] = useState(dismissedNews.get)
  const close = (id: number) => {
    dismissedNews.add(id)
    setClosed(dismissedNews.get())
  }
  return data?.announcements
    .filter(({ id }) => !closed.includes(id))
    .map(({ id, title_en, title_ro, body_en, body_ro }) => (
      <section
        key={id}
        aria-label={inLanguage(title_en, title_ro)}
        className={`${classes.banner} ${classes.quiet}`}
      >
        <strong>{inLanguage(title_en, title_ro)}</strong>
        <span>{inLanguage(body_en, body_ro)}</span>
        <Button variant="default" size="xs" onClick={() => close(id)}>
          {m.close()}
        </Button>
      </section>
    ))
}

/** Announcements above a page. */
export function News() {
  return (
    // Pages without sign-in have no queries of their own.
    <QueryClientProvider client={queryClient}>
      <Current />
    </QueryClientProvider>
  )
}
