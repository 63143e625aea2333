import { Button } from '@mantine/core'
import { asFailure } from '../api/failure.ts'
import { useListFailure } from '../stores/list-failure.ts'
import { m } from '../texts/compiled/messages.js'
import { Empty } from '../ui/empty.tsx'
import { IconAlert } from '../ui/icons.tsx'

type Props = {
  error: unknown
  /** Replaces a whole page. */
  isPage?: boolean
  /** Replaces the general words; the server's reason follows them. */
  words?: { title: string; text: string } | undefined
  onRetry: () => void
}

/** A failure to load, in the server's words, with a button to retry. */
export function LoadFailure({ error, isPage, words, onRetry }: Props) {
  const { status, message, details, requestId } = asFailure(error)
  // A dialog that lies over the page says it already.
  const isTold = useListFailure()?.details === details
  const reason = status === 0 ? m.offline_short() : !isTold && (details || message)
  const text = [words?.text, reason, requestId && m.error_request({ id: requestId })]
    .filter(Boolean)
    .join('\n')
  return (
    <div role="alert">
      <Empty
        icon={<IconAlert size={20} />}
        title={words?.title ?? m.load_failed()}
        text={text}
        isPage={isPage}
      >
        <Button variant="default" onClick={onRetry}>
          {m.retry()}
        </Button>
      </Empty>
    </div>
  )
}
