import { letterKinds } from '@portico/contract/rules/letters/letter-kinds.ts'
import type { Row } from '../../api/rows.ts'
import { aboutInWords } from '../../components/notifications/alert-words.ts'
import type { Column } from '../../components/table/resource-table.tsx'
import { When } from '../../components/when.tsx'
import { inLanguage } from '../../stores/language.ts'
import { m } from '../../texts/compiled/messages.js'
import { Status, type Tone } from '../../ui/status.tsx'
import { ClientLink } from '../lists/client-link.tsx'
import { JobVerbs, LetterVerbs, type QueueVerb } from './queue-verbs.tsx'

type Letter = Row<'desk-letters'>
type Job = Row<'desk-jobs'>

type State = {
  readonly tone: Tone
  readonly name: () => string
  /** The name of many. */
  readonly many: () => string
  readonly verbs: readonly QueueVerb[]
}

/** The names of the states of letters, and the actions in them. */
export const letterStates: Record<Letter['state'], State> = {
  failed: { tone: 'bad', name: m.desk_letter_failed, many: m.desk_shown_failed, verbs: ['retry'] },
  waiting: { tone: 'warn', name: m.desk_letter_waiting, many: m.desk_letter_waiting, verbs: ['drop'] },
  sent: { tone: 'good', name: m.desk_letter_sent, many: m.desk_shown_sent, verbs: [] },
  dropped: { tone: 'idle', name: m.desk_letter_dropped, many: m.desk_shown_dropped, verbs: [] },
}

/** The names of the states of jobs, and the actions in them. */
export const jobStates: Record<Job['state'], State> = {
  failed: { tone: 'bad', name: m.desk_job_failed, many: m.desk_shown_failed, verbs: ['retry', 'drop'] },
  waiting: { tone: 'warn', name: m.desk_job_waiting, many: m.desk_job_waiting, verbs: ['retry', 'drop'] },
  running: { tone: 'good', name: m.desk_job_running, many: m.desk_job_running, verbs: [] },
}

/** The address of a letter, which leads to its client. */
function Recipient({ letter: { recipient, client_id } }: { letter: Letter }) {
  return client_id === null ? recipient : <ClientLink id={client_id} name={recipient} />
}

/** What a letter is about. A newer server may write other kinds, which keep the names of its log. */
export function LetterKind({ kind }: { kind: string }) {
  const named = letterKinds[kind]
  return named ? inLanguage(named.en, named.ro) : <code>{kind}</code>
}

/** The columns of the list of letters. */
export const letterColumns = (): Column<Letter>[] => [
  { name: 'kind', label: m.column_type(), cell: ({ kind }) => <LetterKind kind={kind} /> },
  { name: 'to', label: m.desk_letter_to(), cell: (letter) => <Recipient letter={letter} /> },
  {
    name: 'status',
    label: m.column_status(),
    cell: ({ state }) => <Status tone={letterStates[state].tone}>{letterStates[state].name()}</Status>,
  },
  {
    name: 'at',
    label: m.column_date(),
    sort: 'createdAt',
    cell: ({ createdAt }) => <When moment={createdAt} />,
  },
  { name: 'attempts', label: m.desk_column_attempts(), number: true, cell: ({ attempts }) => attempts },
  {
    name: 'error',
    label: m.desk_column_error(),
    wide: true,
    // Mail servers and engines answer in English.
    cell: ({ last_error }) => last_error && <div lang="en">{last_error}</div>,
  },
  {
    name: 'verbs',
    label: m.desk_column_verbs(),
    cell: (letter) => <LetterVerbs letter={letter} verbs={letterStates[letter.state].verbs} />,
  },
]

/** The subject of a job: in words, or under the server's own name for it. */
function Subject({ about }: { about: string }) {
  const said = aboutInWords(about)
  return said === about ? <code>{about}</code> : said
}

/** The columns of the list of jobs; tasks keep the names that the server's log has. */
export const jobColumns = (): Column<Job>[] => [
  { name: 'task', label: m.desk_column_task(), cell: ({ task }) => <code>{task}</code> },
  {
    name: 'about',
    label: m.desk_column_about(),
    cell: ({ about }) => about !== null && <Subject about={about} />,
  },
  {
    name: 'status',
    label: m.column_status(),
    cell: ({ state }) => <Status tone={jobStates[state].tone}>{jobStates[state].name()}</Status>,
  },
  {
    name: 'attempts',
    label: m.desk_column_attempts(),
    number: true,
    cell: ({ attempts, most_attempts }) => `${attempts} / ${most_attempts}`,
  },
  {
    name: 'next',
    label: m.desk_column_next(),
    sort: 'run_at',
    cell: ({ state, run_at }) => state === 'waiting' && <When moment={run_at} />,
  },
  {
    name: 'error',
    label: m.desk_column_error(),
    wide: true,
    // Mail servers and engines answer in English.
    cell: ({ last_error }) => last_error && <div lang="en">{last_error}</div>,
  },
  {
    name: 'verbs',
    label: m.desk_column_verbs(),
    cell: (job) => <JobVerbs job={job} verbs={jobStates[job.state].verbs} />,
  },
]
