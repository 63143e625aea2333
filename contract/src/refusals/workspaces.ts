import { declare } from './refusal.ts'

/** Refusals of workspaces, panels and their engines. */
export const workspacesRefusals = declare({
  workspace_name_taken: [
    409,
    'You already have a workspace with this name',
    'Ai deja un spațiu de lucru cu acest nume',
  ],
  workspace_holds_panels: [
    409,
    'This workspace still has panels. Move or delete them first.',
    'Acest spațiu de lucru mai conține panouri. Mută-le sau șterge-le mai întâi.',
  ],
  workspace_panel_deleting: [
    409,
    'A panel of this workspace is still being deleted. Try again in a moment.',
    'Un panou din acest spațiu de lucru încă se șterge. Încearcă din nou peste câteva momente.',
  ],
  workspace_last: [
    409,
    'This is your only workspace. Create another one first.',
    'Acesta este singurul tău spațiu de lucru. Creează mai întâi altul.',
  ],

  panels_add_not_allowed: [
    403,
    '{owner} has not allowed you to add panels.',
    '{owner} nu ți-a permis să adaugi panouri.',
  ],
  panels_change_not_allowed: [
    403,
    '{owner} has not allowed you to change panels.',
    '{owner} nu ți-a permis să modifici panouri.',
  ],
  panels_delete_not_allowed: [
    403,
    '{owner} has not allowed you to delete panels.',
    '{owner} nu ți-a permis să ștergi panouri.',
  ],
  panel_name_taken: [
    409,
    'This workspace already has a panel with this name',
    'Spațiul de lucru are deja un panou cu acest nume',
  ],
  panel_owner_fixed: [
    422,
    'A panel can only move to another workspace of its owner.',
    'Un panou se poate muta doar în alt spațiu de lucru al proprietarului său.',
  ],
  panel_deleting: [403, 'This panel is being deleted.', 'Acest panou se șterge.'],
  panel_suspended: [409, 'This panel is suspended', 'Acest panou este suspendat'],
  panel_not_ready: [409, 'This panel is not ready yet', 'Acest panou nu este gata încă'],
  panel_not_failed: [
    409,
    'Only a panel that could not be prepared can be retried.',
    'Doar un panou care nu a putut fi pregătit poate fi încercat din nou.',
  ],
  panel_rights_changed: [
    409,
    'Your permissions in this panel have changed. Connect again.',
    'Permisiunile tale în acest panou s-au schimbat. Conectează-te din nou.',
  ],
  panels_unavailable: [
    503,
    'No panels can be added at the moment. Try again later.',
    'Momentan nu se pot adăuga panouri. Încearcă mai târziu.',
  ],
  plan_not_offered: [422, 'This plan is not available', 'Acest plan nu este disponibil'],
  plan_needed: [422, 'Choose a plan', 'Alege un plan'],
  plan_not_carried: [
    422,
    'No panels of this plan can be added at the moment. Choose another plan.',
    'Momentan nu se pot adăuga panouri cu acest plan. Alege alt plan.',
  ],
  region_needed: [422, 'Choose a region', 'Alege o regiune'],
  region_not_offered: [
    422,
    'This plan is not available in this region',
    'Acest plan nu este disponibil în această regiune',
  ],
  plan_not_on_engine: [
    422,
    'The hosting platform of this panel does not have this plan.',
    'Platforma de găzduire a acestui panou nu are acest plan.',
  ],
  plan_change_unsupported: [
    422,
    'The hosting platform of this panel cannot change plans.',
    'Platforma de găzduire a acestui panou nu poate schimba planuri.',
  ],
  plan_day_out_of_range: [
    422,
    'Choose a day from {earliest} to {latest}.',
    'Alege o zi între {earliest} și {latest}.',
  ],
  plan_same: [422, 'The panel already has this plan.', 'Panoul are deja acest plan.'],
  plan_needs_domain: [
    422,
    'This plan needs a domain, and the panel was added without one.',
    'Acest plan are nevoie de un domeniu, iar panoul a fost adăugat fără domeniu.',
  ],
  // `limitNames` of api/src/workspaces/plans/plan-wish.ts has the words for `limit`, such as Mailboxes.
  plan_limit_exceeded: [
    422,
    '{limit}: {used} in use, and the plan allows {allowed}.',
    '{limit}: {used} în uz, iar planul permite {allowed}.',
  ],
  plan_limit_exceeded_for_guest: [
    422,
    '{limit}: more in use than the plan allows ({allowed}).',
    '{limit}: în uz sunt mai multe decât permite planul ({allowed}).',
  ],
  plan_refused: [
    422,
    'The hosting platform does not allow this plan for the panel.',
    'Platforma de găzduire nu permite acest plan pentru panou.',
  ],
  plan_of_suspended: [
    423,
    'The panel is suspended: its plan cannot be changed.',
    'Panoul este suspendat: planul nu poate fi schimbat.',
  ],
  plan_change_waiting: [
    409,
    'Another change of plan is in progress. Wait until it is finished.',
    'O altă schimbare de plan este în curs. Așteaptă să se încheie.',
  ],
  price_changed: [
    409,
    'The price of this plan has changed. Check the new price and confirm again.',
    'Prețul acestui plan s-a schimbat. Verifică noul preț și confirmă din nou.',
  ],
  balance_too_low: [
    409,
    'Afterwards the balance would last less than {days}. {missing} is missing: top up, or turn on automatic payment with a card that has paid before.',
    'După aceea soldul ar ajunge pentru mai puțin de {days}. Lipsesc {missing}: alimentează contul sau activează plata automată cu un card cu care ai mai plătit.',
  ],
  balance_too_low_for_guest: [
    409,
    'The balance of this account is too low for that. Ask its owner to top up.',
    'Soldul acestui cont este prea mic pentru asta. Roagă proprietarul să îl alimenteze.',
  ],
  panel_refused: [
    422,
    'The hosting platform cannot create this panel.',
    'Platforma de găzduire nu poate crea acest panou.',
  ],
  panel_name_refused: [
    422,
    'The hosting platform does not accept this name',
    'Platforma de găzduire nu acceptă acest nume',
  ],
  domain_invalid: [
    422,
    'Enter a domain name, such as example.com',
    'Scrie un nume de domeniu, de exemplu example.com',
  ],
  domain_is_address: [422, 'An IP address is not a domain name', 'O adresă IP nu este un nume de domeniu'],
  domain_is_suffix: [
    422,
    'Anyone can register names under {domain}. Enter a domain of your own.',
    'Oricine poate înregistra nume sub {domain}. Scrie un domeniu al tău.',
  ],
  domain_needed: [422, 'This panel needs a domain', 'Acest panou are nevoie de un domeniu'],
  domain_not_offered: [422, 'This panel is created without a domain', 'Acest panou se creează fără domeniu'],
  domain_refused: [
    422,
    'The hosting platform does not accept this domain',
    'Platforma de găzduire nu acceptă acest domeniu',
  ],
  domain_taken: [422, 'Another panel already has this domain', 'Alt panou are deja acest domeniu'],
  account_suspended: [
    423,
    'The account is suspended: no panels can be added until the balance is settled.',
    'Contul este suspendat: nu se pot adăuga panouri până la achitarea soldului.',
  ],
  account_stopped: [
    423,
    'Our team has stopped the panels of this account: none can be added until the stop is lifted.',
    'Echipa noastră a oprit panourile acestui cont: nu se pot adăuga altele până la ridicarea opririi.',
  ],

  engine_unavailable: [
    502,
    'The hosting platform is not responding. Try again in a moment.',
    'Platforma de găzduire nu răspunde. Încearcă din nou peste câteva momente.',
  ],
  engine_out_of_use: [
    502,
    'The hosting platform of this panel is not in use at the moment.',
    'Platforma de găzduire a acestui panou nu este în uz momentan.',
  ],
  panel_accounts_not_allowed: [
    403,
    '{owner} has not allowed you to work with the accounts in this panel.',
    '{owner} nu ți-a permis să lucrezi cu conturile din acest panou.',
  ],
  server_power_not_offered: [
    409,
    'The hosting platform of this server does not offer this.',
    'Platforma de găzduire a acestui server nu permite acest lucru.',
  ],
  server_power_not_possible: [
    409,
    'This is not possible in the present state of the server. Nothing was done.',
    'Acest lucru nu este posibil în starea actuală a serverului. Nu s-a schimbat nimic.',
  ],
  server_busy: [
    409,
    'The server is busy with something else. Nothing was done. Try again in a moment.',
    'Serverul este ocupat cu altceva. Nu s-a schimbat nimic. Încearcă din nou peste câteva momente.',
  ],
  server_power_reused: [
    409,
    'Another action was already requested with this request_id.',
    'Cu acest request_id a fost deja cerută altă acțiune.',
  ],
  server_power_unanswered: [
    502,
    'The hosting platform did not answer: it may or may not have done this. Check the server, or try again: the same request is not done twice.',
    'Platforma de găzduire nu a răspuns: poate a făcut acest lucru, poate nu. Verifică serverul sau încearcă din nou: aceeași cerere nu se execută de două ori.',
  ],
  engine_without_readings: [
    409,
    'The hosting platform of this panel does not report this.',
    'Platforma de găzduire a acestui panou nu raportează acest lucru.',
  ],
  engine_without_links: [
    409,
    'The hosting platform of this panel does not support connecting with a link.',
    'Platforma de găzduire a acestui panou nu permite conectarea printr-un link.',
  ],
  webhook_id_reused: [
    409,
    'Another message was already received with this webhook-id.',
    'Cu acest webhook-id a fost deja primit alt mesaj.',
  ],
})
