import { Button, Group } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { type ChangeEvent, useState } from 'react'
import { asFailure } from '../../api/failure.ts'
import { save } from '../../api/files/download.ts'
import { action as reading } from '../../api/query.ts'
import { inWords } from '../../api/refusal-words.ts'
import { useAction } from '../../api/write.ts'
import { toast } from '../../stores/toast.ts'
import { m } from '../../texts/compiled/messages.js'
import { Section, SectionBody, SectionFoot } from '../../ui/section.tsx'
import { TextArea } from '../../ui/text-area.tsx'
import { because } from '../verbs/verb-dialog.tsx'
import classes from './plans.module.css'
import { PlansPreview } from './preview.tsx'
import { PublishPlans } from './publish.tsx'
import type { Preview } from './words.ts'

/** The text of a file from the server; a failure is shown, and nothing is lost. */
function useTexts() {
  const client = useQueryClient()
  return async (name: 'file' | 'example', use: (text: string) => void) => {
    try {
      const { text } = await client.fetchQuery(reading('desk-plans', name, { payload: {} }))
      use(text)
    } catch (error) {
      toast(inWords(error), undefined, 'bad')
    }
  }
}

/** Saves the current plans and prices as a file. */
export function DownloadPlans() {
  const take = useTexts()
  const download = (text: string) => save(new Blob([text], { type: 'application/json' }), 'plans.json')
  return (
    <Button variant="default" onClick={() => void take('file', download)}>
      {m.download()}
    </Button>
  )
}

/** All that is wrong with the form of a file. */
function Refused({ error }: { error: Error | null }) {
  const lines = error === null ? [] : asFailure(error).errors.flatMap(({ detail }) => detail ?? [])
  return (
    <div role="alert">
      <ul className={classes.refusal}>
        {lines.length > 1
          ? lines.map((line) => <li key={line}>{line}</li>)
          : error && <li>{inWords(error)}</li>}
      </ul>
    </div>
  )
}

type FieldProps = { text: string; onText: (text: string) => void }

function FileFields({ text, onText }: FieldProps) {
  const take = useTexts()
  const choose = ({ currentTarget }: ChangeEvent<HTMLInputElement>) => {
    const [file] = currentTarget.files ?? []
    void file?.text().then(onText, () => toast(m.desk_plans_unreadable(), undefined, 'bad'))
  }
  return (
    <>
      <Group gap={8}>
        <Button variant="default" size="xs" onClick={() => void take('file', onText)}>
          {m.desk_plans_take()}
        </Button>
        <Button variant="default" size="xs" onClick={() => void take('example', onText)}>
          {m.desk_plans_example()}
        </Button>
      </Group>
      <label className={classes.file}>
        {m.desk_plans_choose()}
        <input type="file" accept=".json,application/json" onChange={choose} />
      </label>
      <TextArea
        className={classes.text}
        label={m.desk_plans_text()}
        description={m.desk_plans_text_hint()}
        spellCheck={false}
        value={text}
        onChange={(event) => onText(event.currentTarget.value)}
      />
    </>
  )
}

/** The draft of a file: it is previewed, and then published as it was. */
export function PlansEditor({ text, onText }: FieldProps) {
  const action = useAction('desk-plans', 'previewPlans')
  const [seen, setSeen] = useState<{ readonly text: string; readonly preview: Preview }>()
  const current = seen?.text === text ? seen.preview : undefined
  const change = (next: string) => {
    action.reset()
    onText(next)
  }
  const preview = () =>
    action.mutate(
      { payload: { text }, headers: because(m.desk_plans_preview_reason()) },
      { onSuccess: (found) => setSeen({ text, preview: found }) },
    )
  return (
    <>
      <Section id="draft" title={m.desk_plans_draft_title()} lead={m.desk_plans_draft_text()}>
        <SectionBody>
          <FileFields text={text} onText={change} />
          <Refused error={action.error} />
        </SectionBody>
        <SectionFoot>
          <Button
            variant={current ? 'default' : 'filled'}
            loading={action.isPending}
            disabled={text.trim() === ''}
            onClick={preview}
          >
            {m.desk_plans_preview()}
          </Button>
          {current && current.faults.length === 0 && current.total > 0 && (
            <PublishPlans file={{ ...current, text }} onDone={() => setSeen(undefined)} />
          )}
        </SectionFoot>
      </Section>
      {current && <PlansPreview preview={current} />}
    </>
  )
}
