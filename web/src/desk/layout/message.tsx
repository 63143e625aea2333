import { Button } from '@mantine/core'
import { type ErrorComponentProps, Link } from '@tanstack/react-router'
import { asFailure } from '../../api/failure.ts'
import { m } from '../../texts/compiled/messages.js'
import { Empty } from '../../ui/empty.tsx'
import { IconAlert, IconSearch } from '../../ui/icons.tsx'
import { ChunkFailed, mayReload } from '../../ui/loading/chunk.ts'
import { deskHref } from '../routes.ts'

/** No page of the desk has this address. */
export function NotFound() {
  return (
    <main id="main" className="card">
      <Empty icon={<IconSearch size={20} />} title={m.not_found_title()} text={m.not_found_text()} isPage>
        <Button component={Link} to={deskHref('home')}>
          {m.desk_to_home()}
        </Button>
      </Empty>
    </main>
  )
}

/** Shown when a page fails to load or to render. */
export function Failed({ error }: ErrorComponentProps) {
  // Hidden while the browser is about to reload the page, because the error would only flash.
  if (error instanceof ChunkFailed && mayReload()) return null
  const { requestId, status } = asFailure(error)
  const reason = status === 0 ? m.offline_short() : m.error_text()
  const text = [reason, requestId && m.error_request({ id: requestId })].filter(Boolean).join('\n')
  return (
    <Empty icon={<IconAlert size={20} />} title={m.error_page_title()} text={text} isPage>
      <Button onClick={() => location.reload()}>{m.try_again()}</Button>
    </Empty>
  )
}
