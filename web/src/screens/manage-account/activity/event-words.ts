import { m } from '../../../texts/compiled/messages.js'
import type { SecurityEvent } from '../security-data.ts'

type Kind = SecurityEvent['kind']

type Change = { from: string; to: string; reason: string }

/** A sentence for each kind of event; `about` is the address, device, passkey or panel concerned. */
const sentences: Record<Kind, (about: string, change: Change) => string> = {
  'signed-in': () => m.event_signed_in(),
  'sign-in-failed': () => m.event_sign_in_failed(),
  'sign-in-blocked': () => m.event_sign_in_blocked(),
  'signed-out': () => m.event_signed_out(),
  'session-ended': (device, { reason }) => {
    if (reason !== '') return m.event_sessions_ended_by_support({ reason })
    return device === '' ? m.event_session_ended() : m.event_session_ended_of({ device })
  },
  'refresh-reuse': () => m.event_refresh_reuse(),
  registered: () => m.event_registered(),
  'email-verified': (_, { reason }) =>
    reason === '' ? m.event_email_verified() : m.event_email_verified_by_support({ reason }),
  'email-change-requested': (email) => m.event_email_change_requested({ email }),
  'email-changed': (email) => m.event_email_changed({ email }),
  'email-change-undone': (email) => m.event_email_change_undone({ email }),
  'password-changed': () => m.event_password_changed(),
  'password-set': () => m.event_password_set(),
  'password-reset-requested': () => m.event_password_reset_requested(),
  'password-reset': () => m.event_password_reset(),
  'two-factor-enabled': () => m.event_two_factor_enabled(),
  'two-factor-disabled': () => m.event_two_factor_disabled(),
  'two-factor-failed': () => m.event_two_factor_failed(),
  'recovery-code-used': () => m.event_recovery_code_used(),
  'recovery-codes-renewed': () => m.event_recovery_codes_renewed(),
  'passkey-added': (name) => m.event_passkey_added({ name }),
  'passkey-renamed': (name) => m.event_passkey_renamed({ name }),
  'passkey-removed': (name) => m.event_passkey_removed({ name }),
  'google-linked': (email) => m.event_google_linked({ email }),
  'google-unlinked': (email) => m.event_google_unlinked({ email }),
  'google-refused': (email) => m.event_google_refused({ email }),
  'account-taken-over': () => m.event_account_taken_over(),
  'account-closed': () => m.event_account_closed(),
  'api-key-created': (name) => m.event_api_key_created({ name }),
  'api-key-changed': (name) => m.event_api_key_changed({ name }),
  'api-key-revoked': (name) => m.event_api_key_revoked({ name }),
  'api-key-refused': (name) => m.event_api_key_refused({ name }),
  'staff-access-granted': (about) => m.event_staff_access_granted({ about }),
  'staff-access-ended': (about) => m.event_staff_access_ended({ about }),
  'staff-connected': (about) => m.event_staff_connected({ about }),
  'staff-view-granted': (about) => m.event_staff_view_granted({ about }),
  'staff-view-ended': (about) => m.event_staff_view_ended({ about }),
  'staff-viewed': (about, { reason }) => m.event_staff_viewed({ about, reason }),
  'staff-added': (about) => m.event_staff_added({ about }),
  'staff-disabled': () => m.event_staff_disabled(),
  'workspace-added': (name) => m.event_workspace_added({ name }),
  'workspace-renamed': (name, { from }) => m.event_workspace_renamed({ name, from }),
  'workspace-deleted': (name) => m.event_workspace_deleted({ name }),
  'panel-added': (name) => m.event_panel_added({ name }),
  'panel-renamed': (name, { from }) => m.event_panel_renamed({ name, from }),
  'panel-moved': (name, { from, to }) => m.event_panel_moved({ name, from, to }),
  'panel-plan-asked': (name, { from, to }) => m.event_panel_plan_asked({ name, from, to }),
  'panel-plan-changed': (name, { from, to }) => m.event_panel_plan_changed({ name, from, to }),
  'panel-plan-refused': (name, { from, to }) => m.event_panel_plan_refused({ name, from, to }),
  'panel-suspended': (name) => m.event_panel_suspended({ name }),
  'server-started': (name, { to: server }) => m.event_server_started({ name, server }),
  'server-stopped': (name, { to: server }) => m.event_server_stopped({ name, server }),
  'server-restarted': (name, { to: server }) => m.event_server_restarted({ name, server }),
  'panel-resumed': (name) => m.event_panel_resumed({ name }),
  'panel-stopped': (name, { reason }) =>
    reason === '' ? m.event_panel_stopped({ name }) : m.event_panel_stopped_for({ name, reason }),
  'account-blocked': (_, { reason }) => m.event_account_blocked({ reason }),
  'account-unblocked': () => m.event_account_unblocked(),
  'panel-deleted': (name) => m.event_panel_deleted({ name }),
  'invitation-sent': (email) => m.event_invitation_sent({ email }),
  'invitation-resent': (email) => m.event_invitation_resent({ email }),
  'invitation-removed': (email) => m.event_invitation_removed({ email }),
  'invitation-accepted': (email) => m.event_invitation_accepted({ email }),
  'permission-changed': (email) => m.event_permission_changed({ email }),
  'guest-removed': (email) => m.event_guest_removed({ email }),
  'guest-left': (email) => m.event_guest_left({ email }),
}

/** An event, as a sentence. */
export const eventInWords = ({ kind, about, details }: SecurityEvent): string =>
  sentences[kind](about ?? '', {
    from: details?.from ?? '',
    to: details?.to ?? '',
    reason: details?.reason ?? '',
  })
