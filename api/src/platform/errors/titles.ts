import type { Language } from '@portico/contract/refusals/refusal.ts'

/** The title of every refusal with this status, in English and Romanian. */
const titles: Readonly<Record<number, readonly [string, string]>> = {
  400: ['Bad request', 'Cerere greșită'],
  401: ['Not signed in', 'Neconectat'],
  402: ['The payment was refused', 'Plata a fost refuzată'],
  403: ['Not allowed', 'Nepermis'],
  404: ['Not found', 'Negăsit'],
  405: ['Method not allowed', 'Metodă nepermisă'],
  406: ['Not acceptable', 'Formă neacceptată'],
  408: ['Request too slow', 'Cerere prea lentă'],
  409: ['Conflict', 'Conflict'],
  410: ['Gone', 'Nu mai este valabil'],
  413: ['Request body too large', 'Cerere prea mare'],
  414: ['Request target too long', 'Adresă prea lungă'],
  415: ['Unsupported media type', 'Tip de conținut neacceptat'],
  422: ['Invalid value', 'Valoare nevalidă'],
  423: ['The account is suspended', 'Contul este suspendat'],
  429: ['Too many requests', 'Prea multe cereri'],
  431: ['Request headers too large', 'Antete prea mari'],
  500: ['Internal error', 'Eroare internă'],
  501: ['Not implemented', 'Neimplementat'],
  502: ['An outside service does not answer', 'Un serviciu extern nu răspunde'],
  503: ['Service unavailable', 'Serviciu indisponibil'],
  507: ['The file storage is full', 'Spațiul pentru fișiere este plin'],
}

export const titleOf = (status: number, language: Language): string =>
  titles[status]?.[language === 'ro' ? 1 : 0] ?? String(status)
