import type { PanelCheckAnswer } from '@portico/contract/engine/panel-calls.ts'
import type { Context, OutsideContext, Related } from '#platform/context.ts'
import { type Problem, refuse } from '#platform/errors/problem.ts'
import { engineAccess } from '#workspaces/engines/engine-access.ts'
import { system } from '#workspaces/engines/panel-engine.ts'
import { subjectOf } from '#workspaces/engines/subjects.ts'
import { asker } from '#workspaces/panel-asker.ts'
import { newPanel, type Sent } from './new-panel.ts'

type Wish = { readonly sent: Sent & { readonly name?: string }; readonly related: Related }

/** The question for the engine of a new panel; undefined if the engine cannot check panels. */
async function question({ tx, vault, actor }: Context, { sent, related }: Wish) {
  const { panel_engine_id: id, plan_code: plan, region, domain } = await newPanel({ tx, sent })
  const access = await engineAccess({ db: tx, vault }, { id })
  if (access?.capabilities.check !== true) return undefined
  const owner = await tx
    .selectFrom('clients')
    .select(['id', 'first_name', 'last_name', 'email'])
    .where('id', '=', Number(related.project?.client_id))
    .executeTakeFirstOrThrow()
  const displayName = `${owner.first_name} ${owner.last_name}`.trim()
  const panel = {
    name: sent.name ?? '',
    plan,
    region,
    domain,
    owner: { subject: subjectOf(owner.id), displayName, email: owner.email },
    actor: asker(actor, { client_id: owner.id }) ?? system,
  }
  return { access, panel }
}

/** Translates the refusal of an engine into ours; its own text is not shown to people. */
function refusalOf({ code, field }: PanelCheckAnswer): Problem {
  const at = (name: string) => ({ source: { pointer: `/data/attributes/${name}` } })
  switch (field) {
    case 'domain':
      return refuse(code === 'domain_taken' ? 'domain_taken' : 'domain_refused', {}, at('domain'))
    case 'plan':
      return refuse('plan_not_offered', {}, at('plan_code'))
    case 'name':
      return refuse('panel_name_refused', {}, at('name'))
    default:
      return refuse('panel_refused')
  }
}

/**
 * Asks the engine whether it would create the panel, while the person can still correct the form. An engine that does
 * not answer is not an obstacle: it decides when the panel is created.
 */
export async function proposePanel(outsideContext: OutsideContext, wish: Wish): Promise<void> {
  const asked = await outsideContext.within((context) => question(context, wish))
  if (asked === undefined) return
  const engine = outsideContext.ports.engines.open(asked.access)
  const answer = await engine.check({ panel: asked.panel }).catch(() => undefined)
  if (answer?.ok === false) throw refusalOf(answer)
}
