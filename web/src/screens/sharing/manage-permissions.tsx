import { useNavigate } from '@tanstack/react-router'
import { useWorkspaces } from '../../api/queries/workspaces.ts'
import { useCreate, useDelete } from '../../api/write.ts'
import { AskBeforeLeaving } from '../../components/forms/ask-before-leaving.tsx'
import { PageHead } from '../../components/layout/page-head.tsx'
import { PageSkeleton } from '../../components/layout/skeletons.tsx'
import { LoadFailure } from '../../components/load-failure.tsx'
import { endOfDay } from '../../components/permissions/expiry.ts'
import { PermissionForm, usePermissionForm } from '../../components/permissions/permission-form.tsx'
import type { Values } from '../../components/permissions/permission-rules.ts'
import { nothingShared } from '../../components/permissions/presets.ts'
import { href } from '../../routes.ts'
import { toast } from '../../stores/toast.ts'
import { m } from '../../texts/compiled/messages.js'

const nobody: Values = {
  first_name: '',
  last_name: '',
  invited_email: '',
  permissions: nothingShared,
  expires_on: '',
}

/**
 * Creates the permission, then the invitation. If the invitation fails, the permission is removed, because it
 * would belong to nobody.
 */
function useInvite() {
  const permit = useCreate('share-permissions')
  const invite = useCreate('share-invitations')
  const withdraw = useDelete('share-permissions')
  return async ({ permissions, expires_on, ...person }: Values) => {
    const attributes = { permissions, expires_at: endOfDay(expires_on) }
    const { id } = await permit.mutateAsync({ attributes })
    try {
      const relationships = { permission: { type: 'share-permissions', id } } as const
      await invite.mutateAsync({ attributes: person, relationships })
    } catch (error) {
      // If this fails too, the permission still grants nothing to anyone.
      await withdraw.mutateAsync({ id }).catch(() => undefined)
      throw error
    }
  }
}

/** Invites a person and chooses their permissions. */
export default function ManagePermissionsScreen() {
  const { query, all } = useWorkspaces()
  const navigate = useNavigate()
  const invite = useInvite()
  const form = usePermissionForm({
    name: 'invite',
    initial: nobody,
    save: async (values) => {
      await invite(values)
      toast(m.success(), m.invite_done({ email: values.invited_email }))
      await navigate({ to: href('team-members'), ignoreBlocker: true })
    },
  })
  if (query.isPending) return <PageSkeleton />
  if (!query.data) return <LoadFailure isPage error={query.error} onRetry={() => void query.refetch()} />
  return (
    <>
      <PageHead title={m.manage_permissions_title()} lead={m.manage_permissions_lead()} />
      <PermissionForm form={form} workspaces={all} verb={m.invite_send()} />
      <AskBeforeLeaving />
    </>
  )
}
