import { Button, Checkbox, Group } from '@mantine/core'
import { type ChangeEvent, type FormEvent, useState } from 'react'
import { asFailure } from '../../api/failure.ts'
import { inWords } from '../../api/refusal-words.ts'
import { useAction } from '../../api/write.ts'
import { toast } from '../../stores/toast.ts'
import { m } from '../../texts/compiled/messages.js'
import { useFocusBack } from '../../ui/modal/focus-back.ts'
import { Modal } from '../../ui/modal/modal.tsx'
import '../../ui/styles/checkbox.ts'
import { contentOf } from '../verbs/content-of.ts'
import { because } from '../verbs/verb-dialog.tsx'
import classes from './bank.module.css'
import { ColumnsForm, columnsIn } from './columns-form.tsx'
import { type Columns, type SampleRow, sampleRows } from './csv-sample.ts'

const isTable = ({ name }: File) => /\.(csv|txt)$/i.test(name)

type Imported = {
  readonly repeated: boolean
  readonly read_otherwise: boolean
  readonly imported: number
  readonly lines: number
  readonly doubtful: number
}

function importedWords({ repeated, read_otherwise, ...counts }: Imported): string {
  if (read_otherwise) return m.desk_bank_read_otherwise()
  if (repeated && counts.imported + counts.doubtful === 0) return m.desk_bank_repeated()
  return counts.doubtful > 0 ? m.desk_bank_imported_doubtful(counts) : m.desk_bank_imported(counts)
}

/** Asks for the file of a statement, and for the columns of a CSV that is new here. */
export function ImportDialog({ onClose }: { onClose: () => void }) {
  useFocusBack()
  const action = useAction('bank-statements', 'importStatement')
  const [file, setFile] = useState<File>()
  // Kept while a file is sent and refused, so that what was chosen of its columns stays.
  const [headings, setHeadings] = useState<readonly string[]>()
  const [rows, setRows] = useState<readonly SampleRow[]>([])
  const [isAsked, setAsked] = useState(false)
  const send = async (columns?: Columns) => {
    if (!file) return
    const content = await contentOf(file)
    const sample = isTable(file) ? await sampleRows(file) : []
    const payload = {
      filename: file.name,
      content,
      ...(columns && { columns }),
      ...(isAsked && { ask_columns: true }),
    }
    action.mutate(
      { payload, headers: because(m.desk_bank_import_reason()) },
      {
        onError: (error) => {
          setRows(sample)
          setHeadings((known) => columnsIn(error) ?? known)
        },
        onSuccess: (done) => {
          onClose()
          toast(importedWords(done))
        },
      },
    )
  }
  const choose = ({ currentTarget: { files } }: ChangeEvent<HTMLInputElement>) => {
    action.reset()
    setHeadings(undefined)
    setAsked(false)
    setFile(files?.[0])
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void send()
  }
  return (
    <Modal
      opened
      onClose={onClose}
      title={m.desk_bank_import_title()}
      closeButtonProps={{ 'aria-label': m.close() }}
    >
      <form className={classes.form} onSubmit={submit}>
        <p>{m.desk_bank_import_text()}</p>
        <label className={classes.file}>
          {m.desk_bank_file()}
          <input type="file" accept=".xml,.csv,.txt,.sta,.mt940,.940" onChange={choose} />
        </label>
        {file && isTable(file) && (
          <Checkbox
            label={m.desk_bank_ask_columns()}
            checked={isAsked}
            onChange={({ currentTarget: { checked } }) => setAsked(checked)}
          />
        )}
        <div role="alert" className={classes.refusal}>
          {action.error && !columnsIn(action.error) && inWords(asFailure(action.error))}
        </div>
        {!headings && (
          <Group justify="flex-end" gap={8}>
            <Button variant="default" onClick={onClose}>
              {m.cancel()}
            </Button>
            <Button type="submit" loading={action.isPending} disabled={!file}>
              {m.desk_bank_import_verb()}
            </Button>
          </Group>
        )}
      </form>
      {headings && (
        <ColumnsForm
          headings={headings}
          rows={rows}
          isPending={action.isPending}
          onSubmit={(columns) => void send(columns)}
        />
      )}
    </Modal>
  )
}
