import { Button, Checkbox } from '@mantine/core'
import type { audiences } from '@portico/contract/resources/announcements.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { action } from '../../api/query.ts'
import { inWords } from '../../api/refusal-words.ts'
import type { Row } from '../../api/rows.ts'
import { useAction } from '../../api/write.ts'
import { toast } from '../../stores/toast.ts'
import { m } from '../../texts/compiled/messages.js'
import '../../ui/styles/checkbox.ts'
import { because, VerbDialog } from '../verbs/verb-dialog.tsx'

type Audience = { audience: (typeof audiences)[number]; of: string | null; about_service: boolean }

/** How many customers a letter would reach now; undefined while it is not known. */
function useReach({ audience, of, about_service }: Audience, enabled: boolean) {
  const kind = { audience, about_service: about_service ? 'true' : 'false' } as const
  const payload = of === null ? kind : { ...kind, of }
  return useQuery({ ...action('announcements', 'recipients', { payload }), enabled, staleTime: 0 })
}

/** Says whom the letter reaches, before it is sent. */
function Reach({ of, enabled = true }: { of: Audience; enabled?: boolean }) {
  const { data, error } = useReach(of, enabled)
  return (
    <p role="status" className="quiet">
      {data && m.desk_news_reach({ count: data.recipients })}
      {error && inWords(error)}
    </p>
  )
}

type FieldProps = Audience & { checked: boolean; onChange: (checked: boolean) => void }

/** Whether an announcement is sent by letter too, and to how many. */
export function ByLetter({ checked, onChange, ...about }: FieldProps) {
  return (
    <div>
      <Checkbox
        label={m.desk_news_by_letter()}
        description={m.desk_news_by_letter_hint()}
        checked={checked}
        onChange={({ currentTarget }) => onChange(currentTarget.checked)}
      />
      {checked && <Reach of={about} enabled={about.audience === 'all' || about.of !== null} />}
    </div>
  )
}

const isOver = ({ ends_at }: Row<'announcements'>): boolean =>
  ends_at !== null && Date.parse(ends_at) <= Date.now()

/** Sends an announcement by letter, once. */
export function SendLetters({ row }: { row: Row<'announcements'> }) {
  const [open, setOpen] = useState(false)
  const send = useAction('announcements', 'sendLetters')
  if (row.letters_asked_at !== null || isOver(row) || !row.may.sendLetters) return null
  const confirm = (reason: string) => {
    const onSuccess = () => {
      setOpen(false)
      toast(m.desk_news_sent())
    }
    send.mutate({ id: row.id, payload: {}, headers: because(reason) }, { onSuccess })
  }
  return (
    <>
      <Button
        variant="default"
        size="xs"
        aria-label={`${m.desk_news_send()}: ${row.title_en}`}
        onClick={() => setOpen(true)}
      >
        {m.desk_news_send()}
      </Button>
      {open && (
        <VerbDialog
          title={m.desk_news_send_title()}
          text={m.desk_news_send_text()}
          verb={m.desk_news_send()}
          action={send}
          onConfirm={confirm}
          onClose={() => setOpen(false)}
        >
          <Reach of={row} />
        </VerbDialog>
      )}
    </>
  )
}

/** How far the letters of an announcement are. */
export function lettersInWords({ letters_asked_at, letters_done_at, letters }: Row<'announcements'>): string {
  if (letters_asked_at === null) return m.desk_news_no_letters()
  return letters_done_at === null
    ? m.desk_news_sending({ count: letters })
    : m.desk_news_letters({ count: letters })
}
