import { declare } from './refusal.ts'

/**
 * Refusals that do not depend on the resource: HTTP, documents, general permission, and the state of the
 * server.
 */
export const requestRefusals = declare({
  bad_request: [400, 'This is not a valid HTTP request.', 'Cererea nu este o cerere HTTP validă.'],
  host_headers: [
    400,
    'A request must have exactly one Host header.',
    'O cerere trebuie să aibă un singur antet Host.',
  ],
  address_encoding: [
    400,
    'The address contains a percent sign that does not start a valid sequence.',
    'Adresa conține un semn de procent care nu începe o secvență validă.',
  ],
  body_length: [
    400,
    'The length of the body does not match its Content-Length.',
    'Corpul cererii nu are lungimea anunțată în Content-Length.',
  ],
  body_not_document: [
    400,
    'The body must be a document with a member "data".',
    'Corpul cererii trebuie să fie un document cu un membru „data”.',
  ],
  body_too_deep: [
    400,
    'The document nests deeper than {most} levels.',
    'Documentul are mai mult de {most} niveluri.',
  ],
  member_not_object: [400, '"{name}" must be an object.', '„{name}” trebuie să fie un obiect.'],
  resource_expected: [400, 'Expected one resource object.', 'Se aștepta un singur obiect de tip resursă.'],
  resource_type_missing: [400, 'The type of the resource is missing.', 'Resursei îi lipsește tipul.'],
  resource_id_missing: [
    400,
    'The id of the resource is missing; it must be a string.',
    'Resursei îi lipsește id-ul, care trebuie să fie un text.',
  ],
  identifier_expected: [400, 'Expected a resource identifier.', 'Se aștepta identificatorul unei resurse.'],
  identifiers_expected: [
    400,
    'Expected an array of resource identifiers.',
    'Se aștepta o listă de identificatori de resurse.',
  ],
  identifiers_most: [
    400,
    'At most {most} resource identifiers at a time.',
    'Cel mult {most} identificatori de resurse deodată.',
  ],
  relationship_data_missing: [
    400,
    'A relationship must have a member "data".',
    'O relație trebuie să aibă un membru „data”.',
  ],
  signature_expired: [
    401,
    'webhook-timestamp is more than five minutes from now.',
    'webhook-timestamp diferă cu mai mult de cinci minute de ora curentă.',
  ],
  malformed_json: [400, 'This is not valid JSON.', 'Textul nu este JSON valid.'],
  body_not_utf8: [400, 'The body is not UTF-8.', 'Corpul cererii nu este UTF-8.'],

  signature_invalid: [
    401,
    'This signature was not made with a valid secret.',
    'Semnătura nu a fost făcută cu un secret valabil.',
  ],

  local_only: [
    403,
    'This part of a demo is served to localhost only.',
    'Această parte a demonstrației este disponibilă doar pe localhost.',
  ],
  forbidden: [403, 'You are not allowed to do this.', 'Nu ai dreptul să faci asta.'],
  owner_only: [403, 'Only {owner} can do this.', 'Doar {owner} poate face asta.'],
  staff_only: [403, 'Only staff can do this.', 'Doar echipa de suport poate face asta.'],
  nobody_may: [403, 'Nobody can do this.', 'Nimeni nu poate face asta.'],
  create_not_offered: [403, '{type} cannot be created here.', '{type} nu se pot crea aici.'],
  update_not_offered: [403, '{type} cannot be changed here.', '{type} nu se pot modifica aici.'],
  delete_not_offered: [403, '{type} cannot be deleted here.', '{type} nu se pot șterge aici.'],
  relationship_not_offered: [
    403,
    '{type}.{name} cannot be changed here.',
    '{type}.{name} nu se poate modifica aici.',
  ],
  field_not_offered: [403, '{name} cannot be set here.', '{name} nu se poate stabili aici.'],
  members_bound: [
    403,
    '{type} must have this relationship; move them instead.',
    '{type} nu pot rămâne fără această relație; mută-le.',
  ],
  client_generated_id: [403, 'The server chooses the id.', 'Id-ul este ales de server.'],
  key_never: [403, 'API keys cannot do this.', 'Cheile API nu pot face asta.'],
  key_limited: [
    403,
    'This API key is limited to one workspace.',
    'Această cheie API este limitată la un spațiu de lucru.',
  ],
  key_lacks_scope: [
    403,
    'This API key does not have the scope {scope}.',
    'Această cheie API nu a primit dreptul {scope}.',
  ],
  key_out_of_reach: [403, 'API keys have no access to {type}.', 'Cheile API nu au acces la {type}.'],
  recent_sign_in_required: [
    403,
    'Sign in once more to do this: your last sign-in was a while ago.',
    'Conectează-te încă o dată ca să faci asta: ultima conectare a fost cu ceva timp în urmă.',
  ],

  not_found: [404, 'There is no such resource in {type}.', 'Nu există o astfel de resursă în {type}.'],
  address_not_found: [404, 'Nothing is served at {path}.', 'Nu există nimic la adresa {path}.'],
  method_not_allowed: [
    405,
    '{method} is not offered here. Use {allow}.',
    '{method} nu este disponibil aici. Folosește {allow}.',
  ],
  not_acceptable: [
    406,
    'Responses are {offered}; the Accept header excludes them.',
    'Răspunsurile sunt {offered}; antetul Accept le exclude.',
  ],
  accept_too_long: [
    406,
    'Accept is longer than {most} characters.',
    'Antetul Accept are mai mult de {most} caractere.',
  ],
  accept_unsupported: [
    406,
    'This server does not support {found} in Accept.',
    'Acest server nu acceptă {found} în antetul Accept.',
  ],
  request_timeout: [408, 'The request did not arrive in time.', 'Cererea nu a ajuns la timp.'],

  type_mismatch: [
    409,
    'Expected the type {expected}, found {found}.',
    'Se aștepta tipul {expected}, nu {found}.',
  ],
  id_mismatch: [
    409,
    'The document has the id {id}, but the address has another one.',
    'Documentul are id-ul {id}, dar adresa are altul.',
  ],
  changed_meanwhile: [
    409,
    'Someone else has changed this in the meantime. Try again.',
    'Între timp, altcineva a făcut o schimbare. Încearcă din nou.',
  ],
  value_taken: [409, 'This value is already taken.', 'Această valoare este deja folosită.'],
  reference_broken: [
    409,
    'This refers to something that does not exist, or something still refers to this.',
    'Ceva la care se face referire nu mai există, sau ceva încă face referire la această resursă.',
  ],

  too_large: [413, 'The body is too large.', 'Corpul cererii este prea mare.'],
  uri_too_long: [414, 'A part of the path is too long.', 'O parte a adresei este prea lungă.'],
  unsupported_media_type: [
    415,
    'This media type is not supported here.',
    'Acest tip media nu este acceptat aici.',
  ],
  media_type_expected: [
    415,
    'Send {expected}; this server does not support {found}.',
    'Trimite {expected}; acest server nu acceptă {found}.',
  ],
  encoding_unsupported: [
    415,
    'Send the body without a content encoding.',
    'Corpul cererii se trimite fără codificare de conținut.',
  ],
  headers_too_large: [
    431,
    'The request line and headers are larger than {most}.',
    'Linia cererii și antetele depășesc {most}.',
  ],

  text_null: [
    422,
    'The text contains a null character, which cannot be stored.',
    'Textul conține un caracter nul, care nu se poate păstra.',
  ],
  text_surrogate: [
    422,
    'The text contains half a surrogate pair, which cannot be stored.',
    'Textul conține doar o jumătate dintr-o pereche de surogate, care nu se poate păstra.',
  ],
  value_unstorable: [422, 'A value cannot be stored.', 'O valoare nu poate fi păstrată.'],
  attribute_unknown: [
    422,
    '{type} has no attribute of this name.',
    '{type} nu are un atribut cu acest nume.',
  ],
  relationship_unknown: [
    422,
    '{type} has no relationship of this name.',
    '{type} nu are o relație cu acest nume.',
  ],
  relationship_empty: [422, '{name} cannot be empty.', '{name} nu poate fi gol.'],
  relationship_required: [422, '{name} is required.', '{name} este obligatoriu.'],

  idempotency_key_required: [
    400,
    'Send an Idempotency-Key, and the same one when you retry.',
    'Trimite un antet Idempotency-Key, același când încerci din nou.',
  ],
  idempotency_key_invalid: [
    400,
    'An Idempotency-Key has 1 to 255 printable characters.',
    'Un Idempotency-Key are între 1 și 255 de caractere imprimabile.',
  ],
  idempotency_key_reused: [
    422,
    'This Idempotency-Key was sent with another request.',
    'Acest Idempotency-Key a fost trimis cu altă cerere.',
  ],
  idempotency_in_progress: [
    409,
    'The same request is being processed. Try again in a moment.',
    'Aceeași cerere este în curs de procesare. Încearcă din nou peste câteva momente.',
  ],

  rate_limited: [
    429,
    'At most {most} requests a minute. Try again in {seconds} seconds.',
    'Cel mult {most} cereri pe minut. Încearcă din nou peste {seconds} s.',
  ],
  export_client_missing: [
    400,
    'Staff export the rows of one client: name it.',
    'Echipa exportă rândurile unui singur client: precizează-l.',
  ],
  exports_busy: [
    429,
    'Other exports are in progress. Try again in a moment.',
    'Alte exporturi sunt în curs. Încearcă din nou peste câteva momente.',
  ],

  internal: [
    500,
    'Something went wrong on our side. If it happens again, send us the request id {id}.',
    'A apărut o eroare la noi. Dacă se repetă, trimite-ne id-ul cererii: {id}.',
  ],
  unavailable: [
    503,
    'The service is not available at the moment. Try again in a moment.',
    'Serviciul nu este disponibil momentan. Încearcă din nou peste câteva momente.',
  ],
  writes_refused: [
    503,
    'Nothing can be saved at the moment. Try again in a few minutes.',
    'Momentan nu se poate salva nimic. Încearcă din nou peste câteva minute.',
  ],
  copy_mode: [
    503,
    'This portal is a copy, in which nothing can be changed.',
    'Acest portal este o copie, în care nu se poate schimba nimic.',
  ],
  busy: [
    503,
    'The server is too busy. Try again in a moment.',
    'Sunt prea multe cereri. Încearcă din nou peste câteva momente.',
  ],

  file_missing: [
    503,
    'This file is missing on our side. We have been notified.',
    'Fișierul lipsește din sistemul nostru. Am fost anunțați.',
  ],
  file_damaged: [
    503,
    'This file is damaged on our side, so it was not sent. We have been notified.',
    'Fișierul s-a deteriorat la noi, așa că nu a fost trimis. Am fost anunțați.',
  ],
  storage_unavailable: [
    503,
    'Files cannot be stored or downloaded at the moment. Try again later.',
    'Momentan fișierele nu pot fi încărcate sau descărcate. Încearcă din nou mai târziu.',
  ],
  storage_full: [
    507,
    'We are out of storage space at the moment. Try again later.',
    'Momentan nu mai avem spațiu de stocare. Încearcă din nou mai târziu.',
  ],
})
