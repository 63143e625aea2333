import { NativeSelect, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import type { FormEvent } from 'react'
import type { Panel } from '../../api/queries/workspaces.ts'
import { one } from '../../api/query.ts'
import { Refusal } from '../../components/form-foot/form-foot.tsx'
import { SubmitButton } from '../../components/form-foot/submit-button.tsx'
import { withTyped } from '../../components/forms/chips.ts'
import { ChipsField } from '../../components/forms/chips-field.tsx'
import { PageHead } from '../../components/layout/page-head.tsx'
import { RowBones } from '../../components/loaded.tsx'
import { idIn, useSearchState } from '../../components/table/search-state.ts'
import { AttachButton, AttachedFiles, attachHint, DropArea } from '../../components/tickets/attach.tsx'
import { PanelOptions } from '../../components/tickets/panel-options.tsx'
import { departmentName } from '../../components/tickets/words.tsx'
import { href } from '../../routes.ts'
import { toast } from '../../stores/toast.ts'
import { m } from '../../texts/compiled/messages.js'
import { TextArea } from '../../ui/text-area.tsx'
import { Accounts } from './accounts.tsx'
import classes from './add-ticket.module.css'
import { chosen, type NewTicket, useNewTicket } from './new-ticket.ts'

/** Names the closed ticket that this one continues. */
function Follows({ id }: { id: number }) {
  const { data } = useQuery(one('tickets', id))
  if (!data) return null
  return (
    <p className="quiet">
      {m.ticket_follows()} <Link to={href('view-ticket', { id })}>{data.subject}</Link>
    </p>
  )
}

/** The department and the subject. */
function Whereto({ ticket: { form, field, accounts, groups, departments } }: { ticket: NewTicket }) {
  const { client_id, department, panel_id } = form.values
  return (
    <>
      <Accounts
        accounts={accounts}
        value={client_id}
        onChange={(id) => form.setValues({ client_id: id, panel_id: null })}
      />
      <div className={classes.pair}>
        <NativeSelect
          label={m.ticket_department()}
          {...field('department')}
          value={chosen(departments, department)?.code}
        >
          {departments.map((known) => (
            <option key={known.id} value={known.code}>
              {departmentName(known)}
            </option>
          ))}
        </NativeSelect>
        <NativeSelect
          label={m.ticket_panel()}
          {...field('panel_id')}
          value={panel_id ?? ''}
          onChange={({ currentTarget: { value } }) => form.setFieldValue('panel_id', idIn(value) ?? null)}
        >
          <option value="">{m.ticket_no_panel()}</option>
          <PanelOptions groups={groups} />
        </NativeSelect>
      </div>
    </>
  )
}

function Form({ ticket, follows }: { ticket: NewTicket; follows: number | undefined }) {
  const { form, field, formProps, uploads, isSaving, refusal, typed, setTyped } = ticket
  // A half-typed address becomes a chip before all are validated.
  const submit = (event: FormEvent<HTMLFormElement>) => {
    form.setFieldValue('notified_emails', (all) => withTyped(all, typed))
    setTyped('')
    formProps.onSubmit(event)
  }
  return (
    <form className={`card ${classes.form}`} {...formProps} onSubmit={submit}>
      {follows !== undefined && <Follows id={follows} />}
      <Whereto ticket={ticket} />
      <TextInput label={m.ticket_subject()} required maxLength={200} {...field('subject')} />
      <DropArea uploads={uploads}>
        <TextArea
          label={m.ticket_description()}
          description={m.ticket_write_hint()}
          required
          rows={8}
          classNames={{ input: classes.text ?? '' }}
          {...field('description')}
        />
      </DropArea>
      <div className={classes.attach}>
        <AttachedFiles uploads={uploads} />
        <div className={classes.attachLine}>
          <AttachButton uploads={uploads} />
          <span className={classes.hint}>{attachHint()}</span>
        </div>
      </div>
      <ChipsField
        label={m.ticket_emails()}
        description={m.ticket_emails_text()}
        inputMode="email"
        typed={typed}
        onTyped={setTyped}
        {...field('notified_emails')}
      />
      <Refusal>{refusal}</Refusal>
      <div className={classes.foot}>
        <span className={classes.hint}>{m.ticket_draft_kept()}</span>
        <SubmitButton loading={isSaving} disabled={uploads.isSending}>
          {m.ticket_submit()}
        </SubmitButton>
      </div>
    </form>
  )
}

type NewProps = { type: string | undefined; panel: number | undefined; facts: Panel | undefined }

/** The form of a new ticket. */
function New({ type, panel, facts }: NewProps) {
  const [given] = useSearchState()
  const navigate = useNavigate()
  const follows = idIn(given.follows)
  const ticket = useNewTicket({
    type,
    panel,
    facts,
    follows,
    onOpened: ({ id, number }) => {
      toast(m.ticket_was_opened({ number }))
      void navigate({ to: href('view-ticket', { id }) })
    },
  })
  return <Form ticket={ticket} follows={follows} />
}

/** The form with the state of the panel filled in; without it when the panel cannot be read. */
function NewWithFacts({ type, panel }: { type: string | undefined; panel: number }) {
  const { data, isError } = useQuery(one('panels', panel))
  if (!data && !isError)
    return (
      <div className="card">
        <RowBones rows={6} />
      </div>
    )
  return <New type={type} panel={panel} facts={data} />
}

/** Opens a ticket. The address may preset the department and the panel, whose facts it may ask for. */
export default function AddTicketScreen() {
  const { type, panel_id }: { type?: string; panel_id?: string } = useParams({ strict: false })
  const [{ facts }] = useSearchState()
  const panel = idIn(panel_id)
  return (
    <div className={classes.page}>
      <Link className={classes.back} to={href('tickets')}>
        {m.tickets_title()}
      </Link>
      <PageHead title={m.add_ticket_title()} lead={m.add_ticket_lead()} />
      {facts !== undefined && panel !== undefined ? (
        <NewWithFacts type={type} panel={panel} />
      ) : (
        <New type={type} panel={panel} facts={undefined} />
      )}
    </div>
  )
}
