import { declare } from './refusal.ts'

/** Refusals of tickets, their messages and the addresses that they notify. */
const ticketRefusals = declare({
  ticket_closed: [
    409,
    'This ticket is closed. Reopen it first.',
    'Acest tichet este închis. Redeschide-l mai întâi.',
  ],
  ticket_closed_long_ago: [
    409,
    'This ticket was closed too long ago. Open a follow-up ticket.',
    'Acest tichet a fost închis cu prea mult timp în urmă. Deschide unul nou, în continuarea lui.',
  ],
  ticket_moved_on: [
    409,
    'The ticket has changed in the meantime, so this can no longer be done.',
    'Între timp, tichetul și-a schimbat starea, așa că nu se mai poate face asta.',
  ],
  ticket_full: [
    409,
    'This ticket has reached the limit of {most} messages. Open another one.',
    'Tichetul a ajuns la numărul maxim de mesaje ({most}). Deschide altul.',
  ],
  ticket_account_not_open: [
    403,
    'You cannot open this ticket for this account.',
    'Nu poți deschide acest tichet pentru acest cont.',
  ],
  ticket_not_open: [
    403,
    'Only {owner} can give you access to this ticket.',
    'Doar {owner} îți poate da acces la acest tichet.',
  ],
  ticket_panel_of_other_account: [
    422,
    'The panel belongs to another account.',
    'Panoul aparține altui cont.',
  ],
  ticket_followed_of_other_account: [
    422,
    'A ticket can only follow up one from the same account.',
    'Un tichet poate continua doar unul din același cont.',
  ],
  department_unknown: [422, 'There is no such department.', 'Nu există un astfel de departament.'],
  department_closed: [
    409,
    'This department takes no new tickets. Choose another one.',
    'Acest departament nu mai primește tichete. Alege altul.',
  ],
  department_code_taken: [
    409,
    'A department with this short name already exists.',
    'Există deja un departament cu acest nume scurt.',
  ],
  department_last: [
    409,
    'This is the last department that every client may write to. Open another one first.',
    'Acesta este ultimul departament căruia îi poate scrie orice client. Deschide mai întâi altul.',
  ],
  ticket_merged: [
    409,
    'This ticket was merged into another one, where the conversation goes on.',
    'Acest tichet a fost unit cu altul, unde continuă conversația.',
  ],
  ticket_merge_itself: [
    422,
    'A ticket cannot be merged into itself.',
    'Un tichet nu poate fi unit cu el însuși.',
  ],
  ticket_merge_of_other_account: [
    422,
    'Only tickets of the same account can be merged.',
    'Se pot uni doar tichete ale aceluiași cont.',
  ],
  ticket_merge_closed: [
    409,
    'Ticket {number} is closed. Reopen it first, or choose another one.',
    'Tichetul {number} este închis. Redeschide-l mai întâi sau alege altul.',
  ],
  ticket_merge_merged: [
    409,
    'Ticket {number} was itself merged into another one. Choose that one.',
    'Tichetul {number} a fost și el unit cu altul. Alege-l pe acela.',
  ],
  ticket_merge_readers: [
    409,
    'A guest of the account can read only one of the two tickets, so they cannot be merged.',
    'Un invitat al contului poate citi doar unul dintre cele două tichete, așa că nu pot fi unite.',
  ],
  ticket_tags_most: [
    409,
    'A ticket can have at most {most} tags.',
    'Un tichet poate avea cel mult {most} etichete.',
  ],
  macro_unknown: [
    422,
    'There is no such macro for tickets of this department.',
    'Nu există un astfel de macro pentru tichetele acestui departament.',
  ],
  file_unknown: [
    422,
    'One of the files is no longer there. Attach it again.',
    'Unul dintre fișiere nu mai există. Atașează-l din nou.',
  ],
  ticket_assignee_unfit: [
    422,
    'This staff member does not handle this department.',
    'Acest membru al echipei nu se ocupă de acest departament.',
  ],
  tickets_too_many: [
    429,
    'At most {most} tickets can be opened per minute. Wait a minute, then try again.',
    'Numărul maxim de tichete deschise pe minut: {most}. Așteaptă un minut, apoi încearcă din nou.',
  ],
  message_not_answer: [409, 'Only an answer can be rated.', 'Doar un răspuns poate fi evaluat.'],

  ticket_emails_not_open: [
    403,
    'You cannot add addresses to this account.',
    'Nu poți adăuga adrese la acest cont.',
  ],
  ticket_email_known: [409, 'This address is already in the list.', 'Această adresă este deja în listă.'],
  ticket_emails_full: [
    422,
    'The list has reached the limit of {most} addresses.',
    'Lista a ajuns la numărul maxim de adrese ({most}).',
  ],
  ticket_email_notified: [409, 'This address is already notified.', 'Această adresă este deja anunțată.'],
  ticket_email_of_other_account: [
    422,
    'The address does not belong to the ticket’s account.',
    'Adresa nu aparține contului tichetului.',
  ],
  ticket_notified_most: [
    422,
    'At most {most} addresses can be notified of answers to a ticket.',
    'Numărul maxim de adrese anunțate despre răspunsurile unui tichet: {most}.',
  ],
})

/** Refusals of files of tickets. */
const fileRefusals = declare({
  file_infected: [403, 'This file contains malware.', 'Fișierul conține programe malițioase.'],
  file_of_ticket: [403, 'This file belongs to a ticket.', 'Acest fișier ține de un tichet.'],
  file_attached: [422, 'This file belongs to another message.', 'Acest fișier ține de alt mesaj.'],
  upload_incomplete: [400, 'The file did not arrive completely.', 'Fișierul nu a ajuns în întregime.'],
  upload_too_large: [413, 'A file can be at most {most}.', 'Un fișier poate avea cel mult {most}.'],
  upload_kind_unknown: [
    415,
    'Only these files can be attached: {kinds}.',
    'Se pot atașa doar fișiere {kinds}.',
  ],
  upload_content_differs: [
    415,
    'The content of this file does not match its name.',
    'Conținutul fișierului nu corespunde numelui său.',
  ],
  upload_empty: [422, 'This file is empty.', 'Fișierul este gol.'],
  upload_infected: [
    422,
    'This file contains malware and was not kept.',
    'Fișierul conține programe malițioase și nu a fost păstrat.',
  ],
  files_infected: [
    422,
    'One of the files contains malware.',
    'Unul dintre fișiere conține programe malițioase.',
  ],
  files_most: [
    422,
    'At most {most} files can be attached to a message.',
    'Numărul maxim de fișiere atașate la un mesaj: {most}.',
  ],
  files_of_message_too_large: [
    422,
    'The files of one message can be at most {most} in total.',
    'Fișierele unui mesaj pot avea în total cel mult {most}.',
  ],
  files_of_account_too_large: [
    422,
    'The files of all tickets can be at most {most} in total.',
    'Fișierele tuturor tichetelor pot avea în total cel mult {most}.',
  ],
  files_not_checked: [
    503,
    'Files cannot be checked at the moment. Try again later.',
    'Fișierele nu pot fi verificate momentan. Încearcă din nou mai târziu.',
  ],
})

/** Refusals of inbound mail, and of the outbox of a demo. */
const mailRefusals = declare({
  mail_signature_invalid: [
    401,
    'The request was not signed with the secret for mail.',
    'Cererea nu a fost semnată cu secretul pentru mesaje.',
  ],
  mail_busy: [
    503,
    'Other mail is being processed. Try again in a moment.',
    'Se procesează alte mesaje. Încearcă din nou peste câteva momente.',
  ],
  letter_not_found: [404, 'There is no letter {id}.', 'Scrisoarea {id} nu există.'],
  letter_file_not_found: [
    404,
    'Letter {id} carries no file {name}.',
    'Scrisoarea {id} nu are niciun fișier {name}.',
  ],
  letter_not_answered: [
    404,
    'There is no letter {id} that can be replied to.',
    'Nu există un e-mail {id} la care se poate răspunde.',
  ],
})

/** Refusals of tickets, their files and inbound mail. */
export const ticketsRefusals = { ...ticketRefusals, ...fileRefusals, ...mailRefusals }
