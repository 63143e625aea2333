import { Button } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { list } from '../../api/query.ts'
import type { Row } from '../../api/rows.ts'
import { useAction } from '../../api/write.ts'
import type { Column } from '../../components/table/resource-table.tsx'
import { When } from '../../components/when.tsx'
import { language } from '../../stores/language.ts'
import { toast } from '../../stores/toast.ts'
import { m } from '../../texts/compiled/messages.js'
import { dayInWords } from '../../ui/days.ts'
import { money } from '../../ui/format.ts'
import { ClientTable, useOwnView } from '../client/tables.tsx'
import { because, VerbDialog } from '../verbs/verb-dialog.tsx'
import classes from './bank.module.css'

type Statement = Row<'bank-statements'>

function TakeBack({ statement, onClose }: { statement: Statement; onClose: () => void }) {
  const action = useAction('bank-statements', 'takeBack')
  const { filename, matched_lines: count } = statement
  const done = ({ lines, stayed }: { lines: number; stayed: number }) => {
    onClose()
    toast(stayed > 0 ? m.desk_imports_back_stayed({ lines, stayed }) : m.desk_imports_back_done())
  }
  return (
    <VerbDialog
      title={m.desk_imports_back_title({ file: filename })}
      text={m.desk_imports_back_text()}
      verb={m.desk_imports_back_verb()}
      danger
      action={action}
      onConfirm={(reason) =>
        action.mutate({ id: statement.id, payload: {}, headers: because(reason) }, { onSuccess: done })
      }
      onClose={onClose}
    >
      {count > 0 && <p>{m.desk_imports_back_stay({ count })}</p>}
    </VerbDialog>
  )
}

function SameAll({ statement, onClose }: { statement: Statement; onClose: () => void }) {
  const action = useAction('bank-statements', 'sameAll')
  const done = ({ lines }: { lines: number }) => {
    onClose()
    toast(m.desk_imports_same_done({ lines }))
  }
  return (
    <VerbDialog
      title={m.desk_imports_same_title({ file: statement.filename })}
      text={m.desk_imports_same_text()}
      verb={m.desk_imports_same_verb()}
      action={action}
      onConfirm={(reason) =>
        action.mutate({ id: statement.id, payload: {}, headers: because(reason) }, { onSuccess: done })
      }
      onClose={onClose}
    />
  )
}

/** What became of an import that has nothing to take back, or of which a part stayed. */
function stateOf({ taken_back_at, imported, matched_lines }: Statement): string | undefined {
  if (taken_back_at === null)
    return matched_lines > 0 && matched_lines === imported ? m.desk_imports_all_matched() : undefined
  return matched_lines > 0 ? m.desk_imports_back_part({ count: matched_lines }) : m.desk_imports_back_done()
}

/** Takes an import back, where the reader may and not all that is left of it is matched. */
function Verb({ statement }: { statement: Statement }) {
  const [open, setOpen] = useState<'back' | 'same'>()
  const close = () => setOpen(undefined)
  const { may, taken_back_at, left_lines, matched_lines, doubtful_lines } = statement
  const isLeft = left_lines > 0 || (taken_back_at === null && matched_lines === 0)
  return (
    <div className={classes.verb}>
      {stateOf(statement)}
      {may.takeBack && isLeft && (
        <Button size="xs" variant="default" onClick={() => setOpen('back')}>
          {m.desk_imports_back()}
        </Button>
      )}
      {may.sameAll && doubtful_lines > 0 && (
        <Button size="xs" variant="default" onClick={() => setOpen('same')}>
          {m.desk_imports_same()}
        </Button>
      )}
      {open === 'back' && <TakeBack statement={statement} onClose={close} />}
      {open === 'same' && <SameAll statement={statement} onClose={close} />}
    </div>
  )
}

/** The first and the last day of a statement, which may be one. */
function Days({ statement: { from_day, to_day } }: { statement: Statement }) {
  return (
    <span className={classes.days}>
      {[...new Set([from_day, to_day])]
        .flatMap((day) => (day === null ? [] : dayInWords(day, language())))
        .join(' –\n')}
    </span>
  )
}

const columns = (): Column<Statement>[] => [
  {
    name: 'file',
    label: m.desk_bank_file(),
    wide: true,
    cell: ({ filename }) => <span className={classes.filename}>{filename}</span>,
  },
  { name: 'days', label: m.desk_bank_day(), cell: (statement) => <Days statement={statement} /> },
  { name: 'lines', label: m.desk_imports_lines(), number: true, cell: ({ imported }) => imported },
  { name: 'open', label: m.desk_bank_open(), number: true, cell: ({ open_lines }) => open_lines },
  {
    name: 'total',
    label: m.desk_amount(),
    number: true,
    cell: ({ total, currency }) => money(total, currency),
  },
  { name: 'who', label: m.desk_column_who(), cell: ({ imported_by }) => imported_by },
  { name: 'at', label: m.column_date(), cell: ({ createdAt }) => <When moment={createdAt} /> },
  { name: 'verbs', label: m.desk_column_verbs(), cell: (statement) => <Verb statement={statement} /> },
]

/** The statements that were imported, newest first; nothing before the first one. */
export function Imports() {
  const [view, change] = useOwnView()
  const query = useQuery({
    ...list('bank-statements', { sort: '-createdAt', page: { number: view.page, size: view.size } }),
    placeholderData: keepPreviousData,
  })
  if (query.data?.items.length === 0) return null
  return (
    <section className={classes.imports}>
      <h2 className={classes.heading}>{m.desk_imports()}</h2>
      <ClientTable
        caption={m.desk_imports()}
        columns={columns()}
        query={query}
        view={view}
        onChange={change}
        none={m.nothing_found()}
      />
    </section>
  )
}
