import { declare } from './refusal.ts'

/** Refusals of the staff's own tools. */
export const staffRefusals = declare({
  staff_reason_required: [
    422,
    'State the reason in the Portico-Reason header.',
    'Scrie motivul în antetul Portico-Reason.',
  ],
  staff_reason_encoding: [
    400,
    'The reason is not correctly percent-encoded.',
    'Motivul nu este codificat corect cu procente.',
  ],
  staff_reason_length: [
    422,
    'The reason must have {least} to {most} characters.',
    'Motivul trebuie să aibă între {least} și {most} de caractere.',
  ],
  staff_limit_action: [
    403,
    'Your role may move at most {most} {currency} at once.',
    'Rolul tău permite cel mult {most} {currency} o dată.',
  ],
  staff_limit_day: [
    403,
    'Of your limit for today, {left} {currency} are left.',
    'Din limita ta de astăzi au mai rămas {left} {currency}.',
  ],
  staff_looks_most: [
    403,
    'You opened more than {hour} clients in an hour, or {day} in a day. Sign out and in again to go on.',
    'Ai deschis peste {hour} de clienți într-o oră sau {day} într-o zi. Deconectează-te și conectează-te din nou ca să continui.',
  ],
  staff_listed_most: [
    403,
    'Lists and searches showed you more than {hour} clients in an hour, or {day} in a day. Sign out and in again to go on.',
    'Listele și căutările ți-au arătat peste {hour} de clienți într-o oră sau {day} într-o zi. Deconectează-te și conectează-te din nou ca să continui.',
  ],
  view_name_taken: [
    422,
    'You already have a saved list of this name.',
    'Ai deja o listă salvată cu acest nume.',
  ],
  views_most: [
    422,
    'You have {most} saved lists. Delete one first.',
    'Ai {most} liste salvate. Șterge întâi una.',
  ],
  second_person_required: [
    403,
    'This needs a second person. Ask an administrator for it.',
    'Este nevoie de o a doua persoană. Cere aprobarea unui administrator.',
  ],
  limit_day_below_action: [
    422,
    'The limit of a day must be at least that of one action.',
    'Limita pe zi trebuie să fie cel puțin cât cea pentru o acțiune.',
  ],
  request_own: [
    403,
    'Another administrator approves this, never the person who asked.',
    'O aprobă alt administrator, niciodată persoana care a cerut.',
  ],
  request_decided: [
    409,
    'This request was already approved, declined or withdrawn.',
    'Cererea a fost deja aprobată, respinsă sau retrasă.',
  ],
  request_expired: [
    409,
    'This request was open for too long. Ask again.',
    'Cererea a fost deschisă prea mult timp. Cere din nou.',
  ],
  request_rights_lost: [
    409,
    'The person who asked no longer has the role in which they asked.',
    'Persoana care a cerut nu mai are rolul cu care a cerut.',
  ],
  request_grown: [
    409,
    'It would now move more than was asked for. Ask again.',
    'Acum ar depăși suma cerută. Cere din nou.',
  ],
  request_too_new: [
    403,
    'Who asks or approves must have had their rights for {hours} hours.',
    'Cine cere sau aprobă trebuie să aibă drepturile de cel puțin {hours} de ore.',
  ],
  requests_too_many: [
    409,
    'You have {most} requests of the last two days that are open or withdrawn. Wait until some are decided or end.',
    'Ai {most} cereri din ultimele două zile, deschise sau retrase. Așteaptă să fie rezolvate sau să expire unele.',
  ],
  staff_account_missing: [
    404,
    '{email} does not have an account. They have to register first.',
    '{email} nu are cont. Mai întâi trebuie să își creeze unul.',
  ],
  staff_account_unfit: [
    409,
    '{email} is not confirmed, or the account is blocked or closed.',
    'Adresa {email} nu este confirmată sau contul este blocat ori închis.',
  ],
  staff_account_has_panels: [
    409,
    '{email} has panels. Staff need a separate account.',
    '{email} are panouri. Echipa de suport are nevoie de un cont separat.',
  ],
  staff_account_has_money: [
    409,
    '{email} has a balance or a debt. Staff need a separate account.',
    '{email} are sold sau datorii. Echipa de suport are nevoie de un cont separat.',
  ],
  staff_account_in_use: [
    409,
    '{email} has cards, payments, open tickets or shared access as a client. Staff need a separate account.',
    '{email} are ca client carduri, plăți, tichete deschise sau acces partajat. Echipa de suport are nevoie de un cont separat.',
  ],
  staff_no_customer: [403, 'Staff have no customer account.', 'Membrii echipei nu au cont de client.'],
  staff_second_factor_required: [
    403,
    'Turn on two-factor authentication or add a passkey to work as staff.',
    'Activează autentificarea în doi pași sau adaugă o cheie de acces ca să poți lucra ca membru al echipei.',
  ],
  staff_email_taken: [
    409,
    'Another staff member already uses {email}.',
    'Alt membru al echipei folosește adresa {email}.',
  ],
  staff_not_self: [
    403,
    'You cannot change your own account here.',
    'Nu îți poți modifica propriul cont aici.',
  ],
  staff_last_admin: [
    409,
    'This is the last active administrator. Add another one first.',
    'Este ultimul administrator activ. Adaugă mai întâi altul.',
  ],
  staff_invite_client: [
    409,
    '{email} has a customer account. Staff need a separate address.',
    '{email} are un cont de client. Echipa are nevoie de o adresă separată.',
  ],
  setup_over: [
    404,
    'This portal is set up. Its administrators invite further staff at the desk.',
    'Acest portal este configurat. Administratorii invită restul echipei din consolă.',
  ],
  letter_not_failed: [
    409,
    'This letter was sent, still waits, or its text was deleted.',
    'Mesajul a fost trimis, încă așteaptă sau textul lui a fost șters.',
  ],
  letter_not_kept: [
    409,
    'The text of this letter is no longer kept. Letters with a link are never sent again.',
    'Textul mesajului nu mai este păstrat. Mesajele cu un link nu se retrimit niciodată.',
  ],
  letter_address_left: [
    409,
    'No client gets letters at this address any more.',
    'Niciun client nu mai primește mesaje la această adresă.',
  ],
  letter_not_waiting: [409, 'This letter no longer waits.', 'Mesajul nu mai este în așteptare.'],
  job_busy: [409, 'This job is running or has just ended.', 'Sarcina rulează sau tocmai s-a încheiat.'],
  view_not_granted: [
    403,
    'The client has not let you see the account as they do. Ask for it in a ticket that is assigned to you.',
    'Clientul nu ți-a permis să vezi contul așa cum îl vede el. Cere-i asta într-un tichet care îți este atribuit.',
  ],
  view_read_only: [
    403,
    'You see this account as its owner does. Nothing can be changed here.',
    'Vezi contul așa cum îl vede proprietarul. Aici nu se poate modifica nimic.',
  ],
  view_closed: [
    403,
    'This is never shown to staff who see an account as its owner does.',
    'Partea aceasta nu se arată niciodată echipei care vede un cont ca proprietarul lui.',
  ],
  client_email_unconfirmed: [
    409,
    'This client has not confirmed their address yet.',
    'Clientul nu și-a confirmat încă adresa.',
  ],
  client_email_confirmed: [
    409,
    'This client has already confirmed their address.',
    'Clientul și-a confirmat deja adresa.',
  ],
  client_registered_twice: [
    409,
    'This address was registered from several browsers, so its password may be a stranger’s. Only the link in the letter can confirm it, so set the mail server first.',
    'Adresa a fost înregistrată din mai multe browsere, deci parola poate fi a unui străin. O poate confirma doar linkul din mesaj, deci configurează întâi serverul de e-mail.',
  ],
  alert_assignee_unfit: [
    422,
    'This staff member does not read this alert.',
    'Acest membru al echipei nu vede această alertă.',
  ],
  client_panel_unknown: [422, 'This client has no such panel.', 'Clientul nu are acest panou.'],
  panel_not_suspended: [
    409,
    'Only a suspended panel can be deleted here. Stop it first.',
    'Aici se poate șterge doar un panou suspendat. Oprește-l mai întâi.',
  ],
  client_panels_running: [
    409,
    'Only suspended panels can be deleted here. Stop all panels of the client first.',
    'Aici se pot șterge doar panouri suspendate. Oprește mai întâi toate panourile clientului.',
  ],
  client_without_panels: [409, 'This client has no panels.', 'Clientul nu are panouri.'],
  panel_name_differs: [422, 'This is not the name of the panel.', 'Acesta nu este numele panoului.'],
  panel_notices_missing: [
    409,
    'The client must have had two letters about this debt first.',
    'Clientul trebuie să fi primit mai întâi două mesaje despre această datorie.',
  ],
  panel_stopped: [409, 'Staff have already stopped this panel.', 'Panoul a fost deja oprit de echipă.'],
  panel_not_stopped: [
    409,
    'Staff have not stopped this panel. If it is suspended for debt, it runs again after the payment.',
    'Panoul nu a fost oprit de echipă. Dacă este suspendat pentru datorii, pornește după plată.',
  ],
  client_not_active: [
    409,
    'This client is already blocked or closed.',
    'Clientul este deja blocat sau contul este închis.',
  ],
  client_closed: [409, 'This account is already closed.', 'Contul este deja închis.'],
  client_not_closed: [
    409,
    'Only a closed account that is not erased yet can be erased.',
    'Se pot șterge doar datele unui cont închis, care nu au fost deja șterse.',
  ],
  client_email_differs: [422, 'This is not the address of the account.', 'Aceasta nu este adresa contului.'],
  client_erased_unreachable: [
    409,
    'The data of this account are erased, so nobody reads a message. Leave it empty.',
    'Datele acestui cont sunt șterse, deci nimeni nu citește un mesaj. Lasă-l gol.',
  ],
  client_use_unbilled: [
    409,
    'Use of this account is not billed yet, and the invoice needs the buyer. Close the month first.',
    'Consumul acestui cont nu este încă facturat, iar factura are nevoie de cumpărător. Închide mai întâi luna.',
  ],
  client_not_blocked: [409, 'This client is not blocked.', 'Clientul nu este blocat.'],
  client_owes_nothing: [409, 'The client owes nothing.', 'Clientul nu datorează nimic.'],
  reminded_today: [
    409,
    'A letter about this debt was sent today already.',
    'Un e-mail despre această datorie a fost trimis deja astăzi.',
  ],
  hold_out_of_range: [
    422,
    'Choose a day from today to {days} days ahead.',
    'Alege o zi între astăzi și peste {days} de zile.',
  ],
  alert_resolved: [409, 'This alert is already resolved.', 'Această alertă este deja rezolvată.'],
  staff_preferences_not_own: [
    403,
    'Staff members can only change their own preferences.',
    'Membrii echipei își pot schimba doar propriile preferințe.',
  ],
  canned_answers_admins_only: [
    403,
    'Only administrators can change ready answers.',
    'Doar administratorii pot modifica răspunsurile pregătite.',
  ],
  canned_answer_title_taken: [
    409,
    'An answer with this name already exists.',
    'Există deja un răspuns cu acest nume.',
  ],
  announcement_end: [
    422,
    'An announcement ends after it begins, and in the future.',
    'Un anunț se încheie după ce începe și în viitor.',
  ],
  announcement_audience: [422, 'There is no such engine or plan.', 'Nu există un astfel de motor sau plan.'],
  announcement_letters_asked: [
    409,
    'This announcement was sent by letter before.',
    'Acest anunț a fost trimis deja prin e-mail.',
  ],
  announcement_over: [409, 'This announcement has ended.', 'Acest anunț s-a încheiat.'],
})
