import { declare } from './refusal.ts'

/** Refusals of the settings at the desk. */
export const settingRefusals = declare({
  setting_of_server: [
    409,
    'The server sets this by the variable {name}, so it is changed there.',
    'Serverul stabilește această valoare prin variabila {name}, deci se schimbă acolo.',
  ],
  setting_invalid: [
    422,
    'The value does not have the form that is described here.',
    'Valoarea nu are forma descrisă aici.',
  ],
  setting_needed_too: [
    422,
    'This is needed too, because {name} is of no use without it.',
    'Este nevoie și de această valoare, pentru că {name} nu are efect fără ea.',
  ],
  setting_of_real_portal: [
    409,
    'This demo takes test keys, and servers on this machine: everybody knows its passwords.',
    'Această demonstrație acceptă doar chei de test și servere de pe această mașină: toată lumea îi știe parolele.',
  ],
  setting_host_private: [
    422,
    '{host} is not a public address. It can only be set on the server, by the variable {name}.',
    '{host} nu este o adresă publică. Poate fi configurată doar pe server, prin variabila {name}.',
  ],
  setting_mail_host_private: [
    422,
    '{host} is not a public address. Enter localhost for a mail server on this machine (STARTTLS and port 25 or 587, not 465), or set SMTP_URL on the server.',
    '{host} nu este o adresă publică. Scrie localhost pentru un server de e-mail de pe această mașină (STARTTLS și portul 25 sau 587, nu 465) sau setează SMTP_URL pe server.',
  ],
  setting_host_unknown: [
    422,
    'There is no host {host}. Check the address.',
    'Nu există gazda {host}. Verifică adresa.',
  ],
  stripe_modes_differ: [
    422,
    'One key is a test key and the other is not.',
    'O cheie este de test, iar cealaltă nu.',
  ],
  stripe_key_refused: [
    422,
    'Stripe does not know this key. Copy it from the dashboard of Stripe again.',
    'Stripe nu cunoaște această cheie. Copiaz-o din nou din contul Stripe.',
  ],
  engine_url_invalid: [
    422,
    'This is not an address such as https://engine.example.com.',
    'Aceasta nu este o adresă precum https://engine.example.com.',
  ],
  engine_not_https: [
    422,
    'Engines are reached over https, unless ENGINE_ALLOWED_HOSTS names {host} on the server.',
    'Motoarele sunt contactate prin https, dacă ENGINE_ALLOWED_HOSTS nu numește pe server gazda {host}.',
  ],
  engine_name_taken: [
    409,
    'Another engine has this name, or it has no letter from a to z.',
    'Alt motor are acest nume sau numele nu are nicio literă de la a la z.',
  ],
  engine_built_in: [
    409,
    'The built-in engine has no address. It cannot be changed.',
    'Motorul inclus nu are adresă. Nu poate fi modificat.',
  ],
  engine_unreachable: [
    422,
    'The engine does not answer at this address, or the address is not public and ENGINE_ALLOWED_HOSTS does not name it on the server. Nothing was changed.',
    'Motorul nu răspunde la această adresă sau adresa nu este publică, iar ENGINE_ALLOWED_HOSTS nu o numește pe server. Nu s-a modificat nimic.',
  ],
  engine_disabled: [
    409,
    'The engine is disabled. Enable it first.',
    'Motorul este dezactivat. Activează-l mai întâi.',
  ],
  engine_without_list: [
    409,
    'This engine does not list its accounts, or links none.',
    'Acest motor nu își listează conturile sau nu leagă niciunul.',
  ],
  mail_not_set: [409, 'No mail server is entered yet.', 'Nu este completat încă niciun server de e-mail.'],
})
