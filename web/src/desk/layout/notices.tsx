import { Button, Group } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type Notification, notificationsQuery } from '../../api/queries/notifications.ts'
import { useUpdate } from '../../api/write.ts'
import { LoadedList } from '../../components/loaded.tsx'
import { AlertSentence } from '../../components/notifications/alert-sentence.tsx'
import classes from '../../components/notifications/notifications.module.css'
import { When } from '../../components/when.tsx'
import { closeOverlay } from '../../stores/overlay.ts'
import { m } from '../../texts/compiled/messages.js'
import { Empty } from '../../ui/empty.tsx'
import { IconBell } from '../../ui/icons.tsx'
import { Modal } from '../../ui/modal/modal.tsx'
import { deskHref } from '../routes.ts'

const ofTickets: { readonly [K in Notification['kind']]?: (named: { subject: string }) => string } = {
  ticket_due: m.notice_ticket_due,
  ticket_overdue: m.notice_ticket_overdue,
  ticket_opened: m.notice_ticket_opened,
  ticket_replied: m.notice_ticket_replied,
}

/** The page of the desk where staff act on it. */
function pageOf({ kind, about_id }: Notification): string {
  if (ofTickets[kind]) return about_id === null ? deskHref('tickets') : deskHref('ticket', { id: about_id })
  if (kind === 'staff_alert') return deskHref('alerts')
  return kind === 'staff_settings' ? deskHref('settings') : deskHref('requests')
}

function Notice({ notice }: { notice: Notification }) {
  const { id, kind, params, read, createdAt } = notice
  const update = useUpdate('notifications')
  const follow = () => {
    closeOverlay()
    if (!read) update.mutate({ id, attributes: { read: true } })
  }
  const { subject = '' } = params
  return (
    <li className={classes.item} data-unread={!read || undefined}>
      <Link to={pageOf(notice)} onClick={follow}>
        {!read && <span className="unseen">{m.notification_new()}</span>}
        {ofTickets[kind]?.({ subject }) ?? <AlertSentence {...notice} />}
      </Link>
      <span className={classes.when}>
        <When moment={createdAt} />
      </span>
    </li>
  )
}

function Close() {
  return (
    <Button variant="default" onClick={closeOverlay}>
      {m.close()}
    </Button>
  )
}

/** The latest notifications of the reader, each with the page where they act on it. */
export function NoticesModal() {
  const query = useQuery(notificationsQuery)
  const empty = (
    <Empty icon={<IconBell size={20} />} title={m.notifications_none()} text={m.desk_notices_none()}>
      <Close />
    </Empty>
  )
  return (
    <Modal opened onClose={closeOverlay} title={m.notifications()} withCloseButton={false}>
      <LoadedList query={query} items={query.data?.items} empty={empty}>
        {(items) => (
          <>
            <div className={classes.long}>
              <ul className={classes.list} aria-label={m.notifications()}>
                {items.map((one) => (
                  <Notice key={one.id} notice={one} />
                ))}
              </ul>
            </div>
            <Group justify="flex-end" mt={16}>
              <Close />
            </Group>
          </>
        )}
      </LoadedList>
    </Modal>
  )
}
