import { declare } from '../refusal.ts'

/** Refusals of documents for the tax office, and of the access to it. */
export const eInvoiceRefusals = declare({
  einvoice_not_configured: [
    409,
    'This portal is not configured to send to this system of the tax office.',
    'Acest portal nu este configurat să trimită la acest sistem al ANAF.',
  ],
  einvoice_not_authorised: [
    409,
    'The tax office does not accept the portal’s access. Authorise it again.',
    'ANAF nu acceptă accesul portalului. Autorizează-l din nou.',
  ],
  einvoice_authorisation_ended: [
    409,
    'This authorisation has ended, or somebody else began it. Begin it again.',
    'Această autorizare a expirat sau a fost începută de altcineva. Începe-o din nou.',
  ],
  einvoice_office_refused: [422, 'The tax office says: {said}', 'Răspunsul ANAF: {said}'],
  einvoice_office_unavailable: [
    503,
    'The tax office does not answer as it should. Try again later.',
    'ANAF nu răspunde cum ar trebui. Încearcă din nou mai târziu.',
  ],
  einvoice_seller_abroad: [
    409,
    'The operator is not in Romania, so nothing is sent to its tax office.',
    'Operatorul nu este în România, așa că nu se trimite nimic la ANAF.',
  ],
  einvoice_not_unknown: [
    409,
    'What became of this document is known by now.',
    'Rezultatul trimiterii acestui document este deja cunoscut.',
  ],
  einvoice_too_early: [
    409,
    'The tax office may still list this document. Decide about it {days} days after it was sent.',
    'Documentul mai poate apărea în listele ANAF. Decizia se poate lua după {days} zile de la trimitere.',
  ],
  einvoice_not_searched: [
    409,
    'The lists of the tax office were not searched for this document since. Try again in a quarter of an hour.',
    'Listele ANAF nu au fost încă verificate pentru acest document. Încearcă din nou peste un sfert de oră.',
  ],
  einvoice_index_taken: [
    409,
    'Another document has this index, or an earlier sending.',
    'Acest index aparține altui document sau unei trimiteri anterioare.',
  ],
  einvoice_not_refused: [
    409,
    'The tax office has not refused this document.',
    'ANAF nu a refuzat acest document.',
  ],
  einvoice_not_rejected: [
    409,
    'The tax office has not rejected this document, and it has its electronic invoice.',
    'ANAF nu a respins acest document, iar factura electronică există.',
  ],
  einvoice_taken_back: [
    409,
    'This document was taken back by a credit note, so it is not sent again.',
    'Acest document a fost stornat, așa că nu se mai trimite.',
  ],
  einvoice_of_refused: [
    409,
    'The tax office does not have the document that this credit note corrects, so the note need not be sent.',
    'Documentul stornat nu a ajuns la ANAF, așa că nici stornarea nu trebuie trimisă.',
  ],
  einvoice_still_broken: [
    409,
    'The electronic invoice would still violate these rules: {rules}',
    'Factura electronică încalcă în continuare aceste reguli: {rules}',
  ],
  einvoice_not_waiting: [409, 'This document does not wait.', 'Acest document nu este în așteptare.'],
  einvoice_file_not_ready: [
    409,
    'The tax office has not signed this document.',
    'ANAF nu a semnat acest document.',
  ],
})
