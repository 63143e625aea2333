import { Button } from '@mantine/core'
import * as addresses from '@portico/contract/calls/addresses.ts'
import { QueryClientProvider, useInfiniteQuery } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import { call, type Output } from '../../api/call.ts'
import { queryClient } from '../../api/client.ts'
import { asFailure } from '../../api/failure.ts'
import { LoadFailure } from '../../components/load-failure.tsx'
import { RowBones } from '../../components/loaded.tsx'
import { exact } from '../../components/moments.ts'
import { href } from '../../routes.ts'
import { language } from '../../stores/language.ts'
import { m } from '../../texts/compiled/messages.js'
import { Empty } from '../../ui/empty.tsx'
import { useRunning } from '../../ui/loading/running.ts'
import { IconMail } from '../../ui/more-icons.tsx'
import { OpenedLetter } from './opened-letter.tsx'
import classes from './outbox.module.css'

type Page = Output<typeof addresses.outbox>

const refreshEvery = 3000
const newest: { before?: string } = {}

const useLetters = () =>
  useInfiniteQuery({
    queryKey: ['outbox'],
    queryFn: ({ pageParam, signal }) => call(addresses.outbox, pageParam, signal),
    initialPageParam: newest,
    getNextPageParam: ({ letters, more }: Page) => {
      const last = letters.at(-1)
      return more && last ? { before: String(last.id) } : undefined
    },
    refetchInterval: refreshEvery,
  })

function Letters({ letters }: { letters: Page['letters'] }) {
  return (
    <ul className={`card ${classes.list}`}>
      {letters.map(({ id, subject, language: written, to, created_at }) => (
        <li key={id}>
          <Link to={href('outbox')} search={{ letter: id }} className={classes.row}>
            <span className={classes.subject} lang={written}>
              {subject}
            </span>
            <span className={classes.about}>
              <span className={classes.to}>{to}</span>
              <time dateTime={created_at}>{exact(created_at, language())}</time>
            </span>
          </Link>
        </li>
      ))}
    </ul>
  )
}

/** As many rows as fill a window, so that the foot of the page is not seen where it then moves from. */
const rowsOfWindow = 16

function Nothing(said: { title: string; text: string }) {
  return (
    <div className="card">
      <Empty icon={<IconMail size={20} />} {...said} />
    </div>
  )
}

function Found() {
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useLetters()
  const letters = data?.pages.flatMap((page) => page.letters)
  if (letters === undefined && error)
    return asFailure(error).status === 404 ? (
      <Nothing title={m.outbox_none_title()} text={m.outbox_none_text()} />
    ) : (
      <LoadFailure error={error} onRetry={() => void refetch()} />
    )
  if (letters === undefined)
    return (
      <div className="card">
        <RowBones rows={rowsOfWindow} />
      </div>
    )
  if (letters.length === 0) return <Nothing title={m.outbox_empty_title()} text={m.outbox_empty_text()} />
  return (
    <>
      <Letters letters={letters} />
      {hasNextPage && (
        <Button variant="default" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {m.outbox_older()}
        </Button>
      )}
    </>
  )
}

function Listing() {
  return (
    <>
      <div>
        <h1 tabIndex={-1}>{m.outbox_title()}</h1>
        <p className="quiet">{m.outbox_lead()}</p>
      </div>
      <Found />
    </>
  )
}

/** The id in the address; a prerendered page has none, so the first paint does without. */
function useOpened(): number | undefined {
  const here = useRunning()
  const search: Record<string, unknown> = useSearch({ strict: false })
  return here && typeof search.letter === 'number' ? search.letter : undefined
}

/** The letters that a demo has sent, or one of them. */
export default function OutboxScreen() {
  const opened = useOpened()
  return (
    <QueryClientProvider client={queryClient}>
      <div className={classes.page}>{opened === undefined ? <Listing /> : <OpenedLetter id={opened} />}</div>
    </QueryClientProvider>
  )
}
