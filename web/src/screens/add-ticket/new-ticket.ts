import { tickets } from '@portico/contract/resources/tickets.ts'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import * as z from 'zod/mini'
import { useUser } from '../../api/queries/user.ts'
import type { Panel } from '../../api/queries/workspaces.ts'
import type { Row } from '../../api/rows.ts'
import { useCreate } from '../../api/write.ts'
import { useSavingForm } from '../../components/forms/saving-form.ts'
import { type PanelGroup, usePanelGroups } from '../../components/tickets/panels.ts'
import { type Attached, isAttached, useUploads } from '../../components/tickets/uploads.ts'
import { departmentsQuery } from '../../components/tickets/words.tsx'
import { savedDrafts } from '../../stores/saved-drafts.ts'
import { factsOf, subjectAbout } from './panel-facts.ts'

const { subject, description, notified_emails } = tickets.attributes

const schema = z.object({
  client_id: z.int(),
  department: z.string(),
  panel_id: z.nullable(z.int()),
  subject,
  description,
  notified_emails: notified_emails.def.innerType,
})
type Values = z.output<typeof schema>

// An unfinished draft breaks the rules for what is sent, so it has looser ones.
const draft = z.object({
  values: z.object({
    ...schema.shape,
    subject: z.string(),
    description: z.string(),
    notified_emails: z.array(z.string()),
  }),
  files: z.array(z.custom<Attached>(isAttached)),
})

function draftOf(name: string) {
  const { data } = z.safeParse(draft, savedDrafts.read(name))
  const now = Date.now()
  return {
    values: data?.values,
    files: data?.files.filter(({ expires_at }) => Date.parse(expires_at ?? '') > now) ?? [],
  }
}

type Asked = {
  type: string | undefined
  /** The panel in the address. */
  panel: number | undefined
  /** The panel whose facts begin the description of a new draft. */
  facts: Panel | undefined
  follows: number | undefined
  onOpened: (ticket: Row<'tickets'>) => void
}

/** The texts that a draft begins with: the facts about a panel, or nothing. */
const beginning = (facts: Panel | undefined) =>
  facts ? { subject: subjectAbout(facts), description: factsOf(facts) } : { subject: '', description: '' }

/** Whether the person has written nothing yet. */
const isEmpty = (values: Values, first: ReturnType<typeof beginning>): boolean =>
  ['', first.subject].includes(values.subject) &&
  ['', first.description].includes(values.description) &&
  values.notified_emails.length === 0

const ofAccount = (groups: readonly PanelGroup[], account: number): PanelGroup[] =>
  groups
    .map((group) => ({ ...group, panels: group.panels.filter(({ client_id }) => client_id === account) }))
    .filter(({ panels }) => panels.length > 0)

/** The choices: accounts that the person may open tickets for, their panels, and the departments. */
function useChoices(account: number) {
  const { access } = useUser()
  const groups = usePanelGroups()
  const departments = useQuery(departmentsQuery).data?.items ?? []
  return {
    accounts: [...new Set([...access.tickets, ...access.billing])],
    groups: ofAccount(groups, account),
    departments: departments.filter(
      ({ requires_billing, closed }) =>
        !closed && (requires_billing ? access.billing : access.tickets).includes(account),
    ),
  }
}

/** The department of a code; without such a one the first that the person may choose, which the field shows. */
export const chosen = <D extends { code: string }>(departments: readonly D[], code: string): D | undefined =>
  departments.find((one) => one.code === code) ?? departments[0]

/** The draft of a new ticket, kept in this browser until it is sent and preset by the address. */
export function useNewTicket({ type, panel, facts, follows, onOpened }: Asked) {
  const user = useUser()
  const create = useCreate('tickets')
  const name = `${user.id}-new-ticket`
  const [kept] = useState(() => draftOf(name))
  const [first] = useState(() => beginning(facts))
  const [typed, setTyped] = useState('')
  const uploads = useUploads(kept.files)
  const { files } = uploads
  const saving = useSavingForm<Values>({
    initial: {
      client_id: facts?.client_id ?? kept.values?.client_id ?? user.id,
      department: type ?? kept.values?.department ?? 'technical',
      panel_id: panel ?? kept.values?.panel_id ?? null,
      subject: kept.values?.subject || first.subject,
      description: kept.values?.description || first.description,
      notified_emails: kept.values?.notified_emails ?? [],
    },
    schema,
    save: async ({ client_id, department, panel_id, ...attributes }) => {
      const found = chosen(departments, department)
      if (!found) return
      const ticket = await create.mutateAsync({
        attributes: { ...attributes, client_id },
        relationships: {
          ticketDepartment: { type: 'ticket-departments', id: found.id },
          ...(panel_id !== null && { panel: { type: 'panels', id: panel_id } }),
          ...(follows !== undefined && { follows: { type: 'tickets', id: follows } }),
          ...(files.length > 0 && { ticketFile: files.map(({ id }) => ({ type: 'ticket-files', id })) }),
        },
      })
      savedDrafts.drop(name)
      onOpened(ticket)
    },
  })
  const { values } = saving.form
  const { departments, ...choices } = useChoices(values.client_id)
  useEffect(() => {
    if (isEmpty(values, first) && files.length === 0) savedDrafts.drop(name)
    else savedDrafts.keep(name, { values, files } satisfies z.input<typeof draft>)
  }, [name, values, files, first])
  return { ...saving, ...choices, departments, uploads, typed, setTyped }
}

export type NewTicket = ReturnType<typeof useNewTicket>
