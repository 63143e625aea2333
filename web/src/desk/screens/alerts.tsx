import { Button, NativeSelect } from '@mantine/core'
import { alertTopic } from '@portico/contract/rules/alert-topics.ts'
import { alertAdvice, englishFacts, factInWords, factName } from '@portico/contract/rules/alert-words.ts'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import type { Row } from '../../api/rows.ts'
import { useAction } from '../../api/write.ts'
import { PageHead } from '../../components/layout/page-head.tsx'
import { aboutInWords, alertInWords } from '../../components/notifications/alert-words.ts'
import { type Column, ResourceTable } from '../../components/table/resource-table.tsx'
import { When } from '../../components/when.tsx'
import { language } from '../../stores/language.ts'
import { toast } from '../../stores/toast.ts'
import { m } from '../../texts/compiled/messages.js'
import { Empty } from '../../ui/empty.tsx'
import { IconCheck } from '../../ui/icons.tsx'
import classes from '../alerts/alerts.module.css'
import { Assigned } from '../alerts/assigned.tsx'
import { useRows } from '../lists/use-rows.ts'
import { deskHref } from '../routes.ts'
import { because, VerbDialog } from '../verbs/verb-dialog.tsx'

type Alert = Row<'staff-alerts'>

/** The subject of the alert: a client leads to their page, a payment to its client's, and a document to its row. */
function About({ alert: { about, detail } }: { alert: Alert }) {
  const [, noun, name = ''] = /^(client|document|payment) (\S+)$/.exec(about) ?? []
  const { client_id: payer } = detail
  const said = aboutInWords(about)
  if (noun === 'client') return <Link to={deskHref('client', { id: Number(name) })}>{said}</Link>
  if (noun === 'payment' && typeof payer === 'number')
    return <Link to={deskHref('client', { id: payer, tab: 'payments' })}>{said}</Link>
  if (noun !== 'document') return said
  return (
    <Link to={deskHref('documents')} search={{ search: name, days: 'all' }}>
      {said}
    </Link>
  )
}

function What({ alert: { kind, detail } }: { alert: Alert }) {
  const spoken = language() === 'ro' ? 'ro' : 'en'
  const known = Object.entries(detail).flatMap(([name, value]) => {
    const words = factName(name, spoken)
    return value === null || words === undefined
      ? []
      : [{ name, words, value: factInWords(value, name, spoken) }]
  })
  return (
    <div className={classes.what}>
      <strong>{alertInWords(kind)}</strong>
      <span>{alertAdvice[alertTopic(kind)][spoken]}</span>
      {known.map(({ name, words, value }) => (
        <span key={name}>
          {`${words}: `}
          <span lang={englishFacts.has(name) ? 'en' : undefined}>{value}</span>
        </span>
      ))}
    </div>
  )
}

function Resolve({ alert, onClose }: { alert: Alert; onClose: () => void }) {
  const action = useAction('staff-alerts', 'resolve')
  const onSuccess = () => {
    onClose()
    toast(m.desk_alert_resolved())
  }
  return (
    <VerbDialog
      title={m.desk_alert_resolve_title()}
      text={`${alertInWords(alert.kind)}: ${aboutInWords(alert.about)}`}
      verb={m.desk_alert_resolve_verb()}
      action={action}
      onConfirm={(reason) =>
        action.mutate({ id: alert.id, payload: { reason }, headers: because(reason) }, { onSuccess })
      }
      onClose={onClose}
    />
  )
}

/** Resolves an open alert, or says why it was resolved. */
function Outcome({ alert }: { alert: Alert }) {
  const [isOpen, setOpen] = useState(false)
  if (alert.resolved_at !== null) return alert.resolution
  return (
    <>
      <Button variant="default" size="xs" onClick={() => setOpen(true)}>
        {m.desk_alert_resolve()}
      </Button>
      {isOpen && <Resolve alert={alert} onClose={() => setOpen(false)} />}
    </>
  )
}

const columns = (): Column<Alert>[] => [
  { name: 'what', label: m.desk_column_alert(), wide: true, cell: (alert) => <What alert={alert} /> },
  { name: 'about', label: m.desk_column_about(), cell: (alert) => <About alert={alert} /> },
  {
    name: 'since',
    label: m.desk_column_since(),
    sort: 'createdAt',
    cell: ({ createdAt }) => <When moment={createdAt} />,
  },
  { name: 'last', label: m.desk_column_last(), cell: ({ told_at }) => <When moment={told_at} /> },
  { name: 'assigned', label: m.ticket_assigned(), cell: (alert) => <Assigned alert={alert} /> },
  { name: 'verbs', label: m.desk_column_verbs(), cell: (alert) => <Outcome alert={alert} /> },
]

/** Cases that only staff can decide: the open ones, or those that were resolved. */
export default function AlertsScreen() {
  const given: { show?: unknown } = useSearch({ strict: false })
  const navigate = useNavigate()
  const isResolved = given.show === 'resolved'
  const rows = useRows('staff-alerts', {
    order: '-createdAt',
    sorts: ['createdAt'],
    filter: { open: isResolved ? 'false' : 'true' },
  })
  return (
    <>
      <PageHead title={m.desk_alerts_title()} lead={m.desk_alerts_lead()}>
        <NativeSelect
          size="sm"
          aria-label={m.desk_clients_show()}
          value={isResolved ? 'resolved' : 'open'}
          data={[
            { value: 'open', label: m.desk_alerts_open() },
            { value: 'resolved', label: m.desk_alerts_resolved() },
          ]}
          onChange={({ currentTarget: { value } }) =>
            void navigate({
              to: '.',
              search: value === 'resolved' ? { show: value } : {},
              replace: true,
            })
          }
        />
      </PageHead>
      <ResourceTable
        caption={m.desk_alerts_title()}
        columns={columns()}
        {...rows}
        empty={
          <Empty
            icon={<IconCheck size={20} />}
            title={isResolved ? m.desk_alerts_none_resolved() : m.desk_alerts_none()}
          />
        }
        tools={<span />}
      />
    </>
  )
}
