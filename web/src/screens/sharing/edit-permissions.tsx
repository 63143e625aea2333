import { Button } from '@mantine/core'
import { defaultPermissions } from '@portico/contract/permission-defaults.ts'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { Suspense, useState } from 'react'
import { asFailure } from '../../api/failure.ts'
import { useUser } from '../../api/queries/user.ts'
import { useWorkspaces } from '../../api/queries/workspaces.ts'
import { one } from '../../api/query.ts'
import { useUpdate } from '../../api/write.ts'
import { AskBeforeLeaving } from '../../components/forms/ask-before-leaving.tsx'
import { PageHead } from '../../components/layout/page-head.tsx'
import { PageSkeleton } from '../../components/layout/skeletons.tsx'
import { LoadFailure } from '../../components/load-failure.tsx'
import { Message } from '../../components/message.tsx'
import { endOfDay, lastDay } from '../../components/permissions/expiry.ts'
import { PermissionForm, usePermissionForm } from '../../components/permissions/permission-form.tsx'
import type { Values } from '../../components/permissions/permission-rules.ts'
import type { Invitation } from '../../components/sharing/invitations.ts'
import { useResend } from '../../components/sharing/resend.ts'
import { href } from '../../routes.ts'
import { dropFormDrafts } from '../../stores/form-drafts.ts'
import { toast } from '../../stores/toast.ts'
import { m } from '../../texts/compiled/messages.js'
import { lazily } from '../../ui/loading/lazily.ts'
import { useTitle } from '../../ui/title.ts'
import classes from './edit-permissions.module.css'

const RemoveInvitation = lazily(
  async () => (await import('../../components/sharing/remove-invitation.tsx')).RemoveInvitation,
)

const asked = (id: number) => one('share-invitations', id, { include: ['permission'] })

const initialOf = ({ first_name, last_name, invited_email, permission }: Invitation): Values => ({
  first_name,
  last_name,
  invited_email,
  permissions: permission?.permissions ?? defaultPermissions,
  expires_on: lastDay(permission?.expires_at),
})

/** Saves the changes: the name of a person who has not accepted yet, and the permissions. */
function useSave({ id, permission_id }: Invitation) {
  const name = useUpdate('share-invitations')
  const permit = useUpdate('share-permissions')
  return async ({ permissions, expires_on, ...person }: Partial<Values>) => {
    if (Object.keys(person).length > 0) await name.mutateAsync({ id, attributes: person })
    const attributes = {
      ...(permissions && { permissions }),
      ...(expires_on !== undefined && { expires_at: endOfDay(expires_on) }),
    }
    if (Object.keys(attributes).length > 0) await permit.mutateAsync({ id: permission_id, attributes })
  }
}

function Edit({ invitation }: { invitation: Invitation }) {
  const { all } = useWorkspaces()
  const navigate = useNavigate()
  const save = useSave(invitation)
  const { send, isSending } = useResend(invitation)
  const [isRemoving, setIsRemoving] = useState(false)
  const { id, accepted, full_name } = invitation
  useTitle(`${full_name} · ${m.brand()}`)
  const form = usePermissionForm({
    name: `permissions ${id}`,
    initial: initialOf(invitation),
    save: async (_, changed) => {
      await save(changed)
      toast(m.edit_permissions_saved({ name: full_name }))
    },
  })
  const leave = () => {
    dropFormDrafts()
    void navigate({ to: href('team-members'), ignoreBlocker: true })
  }
  return (
    <>
      <Link className={classes.back} to={href('team-members')}>
        {m.team_title()}
      </Link>
      <PageHead title={full_name} lead={m.edit_permissions_lead()}>
        <Button variant="default" disabled={accepted} loading={isSending} onClick={send}>
          {m.member_resend()}
        </Button>
        <Button variant="default" onClick={() => setIsRemoving(true)}>
          {m.member_remove()}
        </Button>
      </PageHead>
      <PermissionForm
        form={form}
        workspaces={all}
        verb={m.save()}
        locked={accepted ? 'all' : 'email'}
        note={accepted ? m.person_names_fixed() : m.person_email_fixed()}
      >
        {form.isUnsaved && !form.isSaving && (
          <Button variant="default" fullWidth onClick={form.discard}>
            {m.discard()}
          </Button>
        )}
      </PermissionForm>
      {isRemoving && (
        <Suspense>
          <RemoveInvitation invitation={invitation} onRemoved={leave} onClose={() => setIsRemoving(false)} />
        </Suspense>
      )}
      <AskBeforeLeaving />
    </>
  )
}

/** Edits the permissions of an invited person, before or after they accept. */
export default function EditPermissionsScreen() {
  const params: { invitation_id?: string } = useParams({ strict: false })
  const id = Number(params.invitation_id)
  const isId = Number.isSafeInteger(id) && id > 0
  const invitation = useQuery({ ...asked(id), enabled: isId })
  const { query: workspaces } = useWorkspaces()
  const { id: me } = useUser()
  const isGone = !isId || (invitation.isError && asFailure(invitation.error).status === 404)
  if (isGone)
    return (
      <Message title={m.edit_permissions_gone_title()} text={m.edit_permissions_gone_text()}>
        <Link to={href('team-members')}>{m.to_team()}</Link>
      </Message>
    )
  if (invitation.isError && !invitation.data)
    return <LoadFailure isPage error={invitation.error} onRetry={() => void invitation.refetch()} />
  if (workspaces.isError && !workspaces.data)
    return <LoadFailure isPage error={workspaces.error} onRetry={() => void workspaces.refetch()} />
  if (!invitation.data || !workspaces.data) return <PageSkeleton />
  // The invited person may read the invitation, but cannot change their own permissions.
  if (invitation.data.client_id !== me)
    return (
      <Message title={m.edit_permissions_title()} text={m.edit_permissions_others_text()}>
        <Link to={href('team-members')}>{m.to_team()}</Link>
      </Message>
    )
  // Another invitation is another form.
  return <Edit key={id} invitation={invitation.data} />
}
