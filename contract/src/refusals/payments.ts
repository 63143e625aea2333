import { declare } from './refusal.ts'

/** What payments, their refunds and their providers refuse. */
export const paymentRefusals = declare({
  deposit_amount_required: [422, 'The amount is required.', 'Suma este obligatorie.'],
  deposit_with_bill: [422, 'A deposit is for no bill.', 'O alimentare nu se face pentru o factură.'],
  purpose_not_offered: [
    422,
    'A payment for this purpose cannot be started here.',
    'O plată cu acest scop nu poate fi începută aici.',
  ],
  bill_required: [422, 'The bill is required.', 'Factura este obligatorie.'],
  bill_with_amount: [
    422,
    'The bill itself says what is to be paid.',
    'Suma de plată este cea de pe factură.',
  ],
  bill_not_open: [422, 'There is no such open bill.', 'Nu există o astfel de factură neachitată.'],
  bill_overpaid: [
    409,
    'More would be paid than is left of this bill.',
    'S-ar plăti mai mult decât a rămas din această factură.',
  ],
  bill_payment_pending: [
    409,
    'A payment of this bill is under way.',
    'O plată a acestei facturi este în curs.',
  ],
  payment_ended: [409, 'This payment has ended.', 'Această plată s-a încheiat.'],
  payment_outcome_unknown: [
    409,
    'It is not known yet what became of this payment. Try again in a moment.',
    'Nu se știe încă dacă plata a reușit. Încearcă din nou peste câteva momente.',
  ],
  payments_refused_often: [
    429,
    'Too many payments were refused. Try again in an hour.',
    'Prea multe plăți au fost refuzate. Încearcă din nou peste o oră.',
  ],
  billing_not_open: [
    403,
    'The billing of this account is not open to you.',
    'Nu ai acces la facturarea acestui cont.',
  ],
  provider_unavailable: [
    502,
    'The payment provider does not answer. Try again in a moment.',
    'Procesatorul de plăți nu răspunde. Încearcă din nou peste câteva momente.',
  ],
  provider_out_of_use: [
    502,
    'This payment provider is not in use any more.',
    'Acest procesator de plăți nu mai este în uz.',
  ],

  deposit_not_paid: [
    409,
    'Only a deposit that was paid can be given back.',
    'Doar o alimentare plătită poate fi rambursată.',
  ],
  deposit_refund_late: [
    409,
    'A deposit can be taken back for {days} days. Ask support.',
    'Termenul de rambursare a unei alimentări (în zile: {days}) a trecut. Întreabă suportul.',
  ],
  transfer_refund_by_hand: [
    409,
    'A bank transfer is given back by a bank transfer. Ask support.',
    'Un transfer bancar se rambursează tot prin transfer bancar. Întreabă suportul.',
  ],
  refund_pending: [
    409,
    'A refund of this payment is under way.',
    'O rambursare a acestei plăți este în curs.',
  ],
  insufficient_balance: [
    409,
    'Only what is left of a deposit can be given back.',
    'Se poate rambursa doar ce a rămas dintr-o alimentare.',
  ],

  transfer_recorded_otherwise: [
    409,
    'This line of a statement was recorded as payment {payment}, with another amount, day or document.',
    'Această linie de extras a fost înregistrată ca plata {payment}, cu altă sumă, zi sau alt document.',
  ],
  transfer_document_unfit: [
    409,
    'Only a proforma or a bill is paid by a transfer.',
    'Prin transfer se plătește doar o proformă sau o factură.',
  ],
  transfer_ahead: [422, 'This day is still to come.', 'Această zi nu a venit încă.'],
  transfer_too_old: [422, 'This day is over a year ago.', 'Această zi este cu peste un an în urmă.'],
})
