import * as z from 'zod/mini'
import { email } from '../calls/credentials.ts'
import { integerId, line, moment, noInput } from '../fields.ts'
import { action } from '../jsonapi.ts'
import { panelStatus } from './panels.ts'

/** Why staff stop a panel. `order`: of a court or an authority; `request`: of the client. */
export const stopKind = z.enum(['abuse', 'fraud', 'order', 'request'])

const ofPanel = z.strictObject({ panel_id: integerId })
const panelMoved = z.object({ status: panelStatus })
/** The number of panels that this very request moved. */
const panelsMoved = z.object({ panels: z.int() })

/** The verbs of staff about the panels of a client. */
export const panelVerbs = {
  suspendPanel: action({
    method: 'POST',
    on: 'one',
    description:
      'Stops a panel of the client: sign-in to it is refused at once, and its engine stops it. A payment does not resume it. The client is written to, with the reason; of an `order` only with `letter`. `panel_stopped` when staff stopped it before, `second_person_required` after ten stops and blocks of one person in an hour. Needs a recent sign-in.',
    input: z.strictObject({ panel_id: integerId, kind: stopKind, letter: z.optional(z.boolean()) }),
    output: panelMoved,
  }),
  resumePanel: action({
    method: 'POST',
    on: 'one',
    description:
      'Ends the stop of a panel by staff; it runs again once its engine confirms, unless the account is suspended for its debt. `panel_not_stopped` when staff did not stop it. Needs a recent sign-in.',
    input: ofPanel,
    output: panelMoved,
  }),
  terminatePanel: action({
    method: 'POST',
    on: 'one',
    description:
      'Deletes a suspended panel of the client for good, with everything in it. The client is written to, with the reason. Always `second_person_required`: ask for it by `desk-requests`. `panel_not_suspended`, `panel_name_differs`, and `panel_notices_missing` for a debt about which fewer than two letters were sent.',
    input: z.strictObject({ panel_id: integerId, name: line(200) }),
    output: panelMoved,
  }),
  retryPanel: action({
    method: 'POST',
    on: 'one',
    description:
      'Asks the engine again for what it failed to do with a panel of the client: to create or to delete it. `panel_not_failed` in any other state; a creation is refused as the client’s own would be: `account_suspended`, `account_stopped`, `balance_too_low`.',
    input: ofPanel,
    output: panelMoved,
  }),
  syncPanel: action({
    method: 'POST',
    on: 'one',
    description:
      'Requests a new reading of a panel of the client from its engine, which this answer does not contain yet. `panel_not_ready` before the engine has made it.',
    input: ofPanel,
    output: z.object({ status: panelStatus, synced_at: z.nullable(moment) }),
  }),
  suspendClient: action({
    method: 'POST',
    on: 'one',
    description:
      'Stops all panels of the client, as `suspendPanel` does, in one step; until `resumeClient` none can be added. The client is written to once, with the names of the panels and the reason; of an `order` only with `letter`. A repetition stops what runs since, and may move none. `second_person_required` as for `suspendPanel`. Needs a recent sign-in.',
    input: z.strictObject({ kind: stopKind, letter: z.optional(z.boolean()) }),
    output: panelsMoved,
  }),
  resumeClient: action({
    method: 'POST',
    on: 'one',
    description:
      'Ends the stop of the client, and of each of their panels that staff stopped; they run again once their engines confirm, unless the account is suspended for its debt. A repetition moves none. Needs a recent sign-in.',
    input: noInput,
    output: panelsMoved,
  }),
  terminateClient: action({
    method: 'POST',
    on: 'one',
    description:
      'Deletes all panels of the client for good, with everything in them; the account stays. The client is written to, with the reason. Always `second_person_required`: ask for it by `desk-requests`, with the address of the account. `client_email_differs`, `client_panels_running` while one is not suspended, `client_without_panels`, and `panel_notices_missing` as for `terminatePanel`.',
    input: z.strictObject({ email }),
    output: panelsMoved,
  }),
} as const
