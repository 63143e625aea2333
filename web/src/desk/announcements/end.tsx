import { Button } from '@mantine/core'
import { useState } from 'react'
import type { Row } from '../../api/rows.ts'
import { useAction } from '../../api/write.ts'
import { m } from '../../texts/compiled/messages.js'
import { because, VerbDialog } from '../verbs/verb-dialog.tsx'

/** Ends an announcement that has not ended. */
export function EndAnnouncement({ row: { id, title_en, ends_at } }: { row: Row<'announcements'> }) {
  const [open, setOpen] = useState(false)
  const action = useAction('announcements', 'end')
  if (ends_at !== null && Date.parse(ends_at) <= Date.now()) return null
  const confirm = (reason: string) =>
    action.mutate({ id, payload: {}, headers: because(reason) }, { onSuccess: () => setOpen(false) })
  return (
    <>
      <Button
        variant="default"
        size="xs"
        aria-label={`${m.desk_news_end()}: ${title_en}`}
        onClick={() => setOpen(true)}
      >
        {m.desk_news_end()}
      </Button>
      {open && (
        <VerbDialog
          title={m.desk_news_end_title()}
          text={m.desk_news_end_text()}
          verb={m.desk_news_end()}
          action={action}
          onConfirm={confirm}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  )
}
