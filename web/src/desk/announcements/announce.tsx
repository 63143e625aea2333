import { Button, Checkbox, NativeSelect, TextInput } from '@mantine/core'
import { audiences } from '@portico/contract/resources/announcements.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { list } from '../../api/query.ts'
import { useActionOnce } from '../../api/write.ts'
import { MomentField } from '../../components/dates/date-field.tsx'
import { toast } from '../../stores/toast.ts'
import { m } from '../../texts/compiled/messages.js'
import '../../ui/styles/checkbox.ts'
import { TextArea } from '../../ui/text-area.tsx'
import { because, VerbDialog } from '../verbs/verb-dialog.tsx'
import { ByLetter } from './by-letter.tsx'

type Audience = (typeof audiences)[number]
type Wish = {
  title_en: string
  title_ro: string
  body_en: string
  body_ro: string
  from: string
  until: string
  audience: Audience
  of: string
  by_letter: boolean
  about_service: boolean
}

/** Whom an announcement concerns, in words. */
export const audienceNames: Readonly<Record<Audience, () => string>> = {
  all: m.desk_news_all,
  engine: m.desk_news_engine,
  plan: m.desk_news_plan,
}

/** The codes of what an announcement may concern. */
function useCodes(audience: Audience): readonly string[] {
  const page = { number: 1, size: 100 }
  const engines = useQuery({ ...list('desk-engines', { page }), enabled: audience === 'engine' })
  const plans = useQuery({ ...list('desk-plans', { page }), enabled: audience === 'plan' })
  const rows = audience === 'engine' ? engines.data?.items : plans.data?.items
  return rows?.map(({ code }) => code) ?? []
}

type FieldsProps = { wish: Wish; change: (part: Partial<Wish>) => void }

function Concerns({ wish: { audience, of }, change }: FieldsProps) {
  const codes = useCodes(audience)
  return (
    <>
      <NativeSelect
        label={m.desk_news_audience()}
        value={audience}
        data={audiences.map((value) => ({ value, label: audienceNames[value]() }))}
        onChange={({ currentTarget: { value } }) =>
          change({ audience: audiences.find((one) => one === value) ?? 'all', of: '' })
        }
      />
      {audience !== 'all' && (
        <NativeSelect
          label={audience === 'engine' ? m.desk_news_which_engine() : m.desk_news_which_plan()}
          required
          value={of}
          data={[{ value: '', label: m.choose() }, ...codes]}
          onChange={({ currentTarget }) => change({ of: currentTarget.value })}
        />
      )}
    </>
  )
}

function Fields({ wish, change }: FieldsProps) {
  const text = (name: 'title_en' | 'title_ro' | 'body_en' | 'body_ro') => ({
    value: wish[name],
    onChange: ({ currentTarget }: { currentTarget: { value: string } }) =>
      change({ [name]: currentTarget.value }),
  })
  return (
    <>
      <TextInput label={m.desk_news_title_en()} required maxLength={120} {...text('title_en')} />
      <TextInput label={m.desk_news_title_ro()} required maxLength={120} {...text('title_ro')} />
      <TextArea label={m.desk_news_body_en()} rows={3} maxLength={1000} {...text('body_en')} />
      <TextArea label={m.desk_news_body_ro()} rows={3} maxLength={1000} {...text('body_ro')} />
      <MomentField
        label={m.desk_news_from()}
        required
        value={wish.from}
        onChange={(from) => change({ from })}
      />
      <MomentField label={m.desk_news_until()} value={wish.until} onChange={(until) => change({ until })} />
      <Concerns wish={wish} change={change} />
      <Checkbox
        label={m.desk_news_about_service()}
        description={m.desk_news_about_service_hint()}
        checked={wish.about_service}
        onChange={({ currentTarget }) => change({ about_service: currentTarget.checked })}
      />
      <ByLetter
        about_service={wish.about_service}
        audience={wish.audience}
        of={wish.of === '' ? null : wish.of}
        checked={wish.by_letter}
        onChange={(by_letter) => change({ by_letter })}
      />
    </>
  )
}

function Dialog({ onClose }: { onClose: () => void }) {
  const action = useActionOnce('announcements', 'announce')
  const [wish, setWish] = useState<Wish>({
    title_en: '',
    title_ro: '',
    body_en: '',
    body_ro: '',
    from: new Date().toISOString(),
    until: '',
    audience: 'all',
    of: '',
    by_letter: false,
    about_service: false,
  })
  const confirm = (reason: string) => {
    const { from, until, of, ...rest } = wish
    const payload = {
      ...rest,
      starts_at: from,
      ends_at: until === '' ? null : until,
      of: of === '' ? null : of,
    }
    const onSuccess = () => {
      onClose()
      toast(m.desk_news_done())
    }
    action.mutate({ payload, headers: because(reason) }, { onSuccess })
  }
  return (
    <VerbDialog
      title={m.desk_news_new()}
      text={m.desk_news_new_text()}
      verb={m.desk_news_verb()}
      action={action}
      onConfirm={confirm}
      onClose={onClose}
    >
      <Fields wish={wish} change={(part) => setWish((last) => ({ ...last, ...part }))} />
    </VerbDialog>
  )
}

/** Announces something to customers. */
export function Announce() {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button onClick={() => setOpen(true)}>{m.desk_news_new()}</Button>
      {open && <Dialog onClose={() => setOpen(false)} />}
    </>
  )
}
