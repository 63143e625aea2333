import { Button, NativeSelect, TextInput } from '@mantine/core'
import { longestText, textKinds } from '@portico/contract/resources/published-texts.ts'
import { Suspense, useState } from 'react'
import { useAction } from '../../api/write.ts'
import { DateField } from '../../components/dates/date-field.tsx'
import { today } from '../../components/dates/typed.ts'
import { toast } from '../../stores/toast.ts'
import { m } from '../../texts/compiled/messages.js'
import { TextArea } from '../../ui/text-area.tsx'
import { because, VerbDialog } from '../verbs/verb-dialog.tsx'
import { Markdown } from './markdown.ts'
import classes from './texts.module.css'

type Kind = (typeof textKinds)[number]
type Wish = { kind: Kind; version: string; from_day: string; body_en: string; body_ro: string }

/** The names of the texts. */
export const kindNames: Readonly<Record<Kind, () => string>> = { terms: m.terms, privacy: m.privacy }

/** A text as people will read it, before it is published and can never change. */
function TextPreview({ label, source }: { label: string; source: string }) {
  if (source.trim() === '') return null
  return (
    <details className={classes.preview}>
      <summary>{label}</summary>
      <Suspense>
        <Markdown source={source} />
      </Suspense>
    </details>
  )
}

function Fields({ wish, change }: { wish: Wish; change: (part: Partial<Wish>) => void }) {
  return (
    <>
      <NativeSelect
        label={m.desk_texts_kind()}
        value={wish.kind}
        data={textKinds.map((value) => ({ value, label: kindNames[value]() }))}
        onChange={({ currentTarget: { value } }) =>
          change({ kind: textKinds.find((kind) => kind === value) ?? wish.kind })
        }
      />
      <TextInput
        label={m.desk_texts_version()}
        description={m.desk_texts_version_hint()}
        required
        maxLength={20}
        value={wish.version}
        onChange={({ currentTarget }) => change({ version: currentTarget.value })}
      />
      <DateField
        label={m.desk_texts_from()}
        required
        value={wish.from_day}
        onChange={(from_day) => change({ from_day })}
      />
      {(['body_en', 'body_ro'] as const).map((name) => (
        <div key={name}>
          <TextArea
            label={name === 'body_en' ? m.desk_texts_en() : m.desk_texts_ro()}
            description={m.desk_texts_markdown()}
            required
            rows={6}
            maxLength={longestText}
            value={wish[name]}
            onChange={({ currentTarget }) => change({ [name]: currentTarget.value })}
          />
          <TextPreview
            label={name === 'body_en' ? m.desk_texts_preview_en() : m.desk_texts_preview_ro()}
            source={wish[name]}
          />
        </div>
      ))}
    </>
  )
}

type Props = {
  /** The kinds of the texts that are published. */
  published: readonly Kind[]
}

function Dialog({ published, onClose }: Props & { onClose: () => void }) {
  const action = useAction('published-texts', 'publish')
  const missing = textKinds.find((kind) => !published.includes(kind))
  const [wish, setWish] = useState<Wish>({
    kind: missing ?? 'terms',
    version: '',
    from_day: today(),
    body_en: '',
    body_ro: '',
  })
  const done = () => {
    onClose()
    toast(m.desk_texts_done({ version: wish.version }))
  }
  return (
    <VerbDialog
      title={m.desk_texts_publish()}
      text={m.desk_texts_publish_text()}
      verb={m.desk_texts_publish_verb()}
      isFirst={missing !== undefined}
      action={action}
      onConfirm={(reason) => action.mutate({ payload: wish, headers: because(reason) }, { onSuccess: done })}
      onClose={onClose}
    >
      <Fields wish={wish} change={(part) => setWish((last) => ({ ...last, ...part }))} />
    </VerbDialog>
  )
}

/** Publishes a version of a text. */
export function PublishText({ published }: Props) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button onClick={() => setOpen(true)}>{m.desk_texts_publish()}</Button>
      {open && <Dialog published={published} onClose={() => setOpen(false)} />}
    </>
  )
}
