import type { Language } from '@portico/contract/refusals/refusal.ts'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import type { Deps } from '#identity/deps.ts'
import { bearerOf, isViewToken } from '#identity/sessions/bearer.ts'
import { sessionEnded } from '#identity/sessions/refusal.ts'
import type { Actor } from '#platform/context.ts'
import { refuse } from '#platform/errors/problem.ts'
import { languageOf } from '#platform/http/language.ts'
import { mayAct } from '#reference/client-status.ts'
import { accessOf } from '#sharing/grants.ts'
import { enteredBySecondFactor } from '#staff/roles.ts'
import { staffAnswers } from '#staff/ticket-visibility.ts'
import { hashOfView } from './client-views.ts'

type Found = {
  readonly clientId: number
  readonly accountId: string
  readonly by: string
  readonly until: string
  /** Of the member of staff. */
  readonly language: Language
}

// Everything that a view rests on counts as it is now: the session, the rights and the second factor of the member of staff,
// the owner's account, and the consent or the rule.
const found = (token: string, now: Date) => {
  const at = now.toISOString()
  const alive = sql.raw(mayAct.join(', '))
  const staff = { id: sql<number>`m.id`, role: sql<string>`m.role` }
  return sql<Found>`
    select c.id as "clientId", a.id as "accountId", m.display_name as by, v.until, l.code as language
    from client_views v
      join admins m on m.id = v.admin_id and m.disabled_at is null
      join auth_sessions s on s.id = v.session_id and s.account_id = m.auth_id and s.revoked_at is null
        and ${sql.raw(enteredBySecondFactor('m', 's'))}
        and s.idle_expires_at > ${at} and s.expires_at > ${at}
      join auth_accounts o on o.id = m.auth_id and o.disabled_at is null and o.verified_at is not null
      join clients p on p.auth_id = o.id and p.status in (${alive})
      join languages l on l.id = p.language_id
      join clients c on c.id = v.client_id and c.status in (${alive})
      join auth_accounts a on a.id = c.auth_id and a.disabled_at is null and a.verified_at is not null
    where v.token_hash = ${hashOfView(token)} and v.ended_at is null and v.until > ${at}
      and case when v.staff_access_id is null
        then m.role = 'admin' and exists (select from access_policies where views_without_consent)
        else exists (select from open_view_consents x join tickets t on t.id = x.ticket_id
          where x.id = v.staff_access_id and x.admin_id = m.id and ${staffAnswers('t', staff)}) end`
}

/**
 * The actor of a view: the owner on their own account alone, because nobody who shares another account with them has
 * consented. Throws `session_ended`.
 */
async function viewerOf(
  { pool, clock, config }: Deps,
  token: string,
  request: FastifyRequest,
): Promise<Actor> {
  // As for other requests of staff, the response does not confirm a stolen token.
  if (!config.deskOpenTo(request.ip)) throw sessionEnded()
  const { rows } = await found(token, clock.now()).execute(pool.kysely)
  const [view] = rows
  if (view === undefined) throw sessionEnded()
  const { clientId, accountId, by, until } = view
  request.clientId = clientId
  request.language = view.language
  return {
    kind: 'view',
    id: clientId,
    accountId,
    sessionId: '',
    emailVerified: true,
    language: languageOf(request),
    view: { by, until },
    ...accessOf(clientId, []),
  }
}

const reads = new Set(['GET', 'HEAD'])

/**
 * Admits requests with the token of a view to the reads that declare it, before any route runs: every other request is refused
 * with `view_read_only` or `view_closed`, so that no route has to know of views to be safe from them. The limits of requests
 * come first, in an earlier hook.
 */
export function admitViews(app: FastifyInstance, deps: Deps): void {
  app.decorateRequest('viewer', undefined)
  app.addHook('preParsing', async (request) => {
    const token = bearerOf(request)
    if (token === undefined || !isViewToken(token)) return
    request.viewer = await viewerOf(deps, token, request)
    if (!reads.has(request.method)) throw refuse('view_read_only')
    if (request.routeOptions.config.views !== true) throw refuse('view_closed')
  })
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The actor of a request with the token of a view. */
    viewer: Actor | undefined
  }
}
