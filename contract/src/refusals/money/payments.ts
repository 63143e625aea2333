import { declare } from '../refusal.ts'

/** Refusals of payments, refunds and payment providers. */
export const paymentRefusals = declare({
  payments_not_open: [
    409,
    'The operator does not take card payments yet.',
    'Operatorul nu acceptă încă plăți cu cardul.',
  ],
  deposit_amount_required: [422, 'The amount is required.', 'Suma este obligatorie.'],
  proforma_not_open: [422, 'There is no such unpaid proforma.', 'Nu există o astfel de proformă neachitată.'],
  proforma_not_unpaid: [
    409,
    'Only an unpaid proforma can be cancelled.',
    'Se poate anula doar o proformă neachitată.',
  ],
  proforma_payment_pending: [
    409,
    'A payment of this proforma is in progress.',
    'O plată a acestei proforme este în curs.',
  ],
  proformas_most: [
    429,
    'At most {most} proformas can wait for payment; a cancelled one counts for a day. Pay one of them, or try again later.',
    'Numărul maxim de proforme care așteaptă plata: {most}; una anulată se numără timp de o zi. Achită una dintre ele sau încearcă mai târziu.',
  ],
  refunds_most: [
    429,
    'You can ask for at most {most} refunds of one deposit. Write to support for the rest.',
    'Poți cere cel mult {most} rambursări dintr-o alimentare. Pentru rest, scrie echipei de asistență.',
  ],
  nothing_owed: [409, 'Nothing is owed on this account.', 'Acest cont nu are nimic de plată.'],
  transfer_not_offered: [
    409,
    'Payment by bank transfer is not possible at the moment.',
    'Plata prin transfer bancar nu este posibilă momentan.',
  ],
  deposit_with_bill: [422, 'A deposit cannot be for a bill.', 'O alimentare nu poate fi pentru o factură.'],
  purpose_not_offered: [
    422,
    'A payment for this purpose cannot be started here.',
    'O plată cu acest scop nu poate fi începută aici.',
  ],
  bill_required: [422, 'The bill is required.', 'Factura este obligatorie.'],
  bill_with_amount: [422, 'The amount is the one on the bill.', 'Suma de plată este cea de pe factură.'],
  bill_not_open: [422, 'There is no such open bill.', 'Nu există o astfel de factură neachitată.'],
  bill_overpaid: [
    409,
    'This is more than is left to pay on this bill.',
    'Este mai mult decât a rămas de plătit din această factură.',
  ],
  debt_not_open: [409, 'Nothing is owed for this payment.', 'Pentru această plată nu se datorează nimic.'],
  adjust_debt_open: [
    409,
    'The client owes money that was given back twice. Write that debt off at its payment, or wait until it is paid.',
    'Clientul datorează bani restituiți de două ori. Anulează datoria la plata ei sau așteaptă să fie achitată.',
  ],
  bill_payment_pending: [
    409,
    'A payment for this bill is in progress.',
    'O plată a acestei facturi este în curs.',
  ],
  payment_ended: [409, 'This payment has ended.', 'Această plată s-a încheiat.'],
  payment_outcome_unknown: [
    409,
    'We do not know yet whether this payment succeeded. Try again in a moment.',
    'Nu se știe încă dacă plata a reușit. Încearcă din nou peste câteva momente.',
  ],
  payments_refused_often: [
    429,
    'Too many payments were refused. Try again in an hour.',
    'Prea multe plăți au fost refuzate. Încearcă din nou peste o oră.',
  ],
  billing_not_open: [
    403,
    'You do not have access to the billing of this account.',
    'Nu ai acces la facturarea acestui cont.',
  ],
  provider_unavailable: [
    502,
    'The payment provider is not responding. Try again in a moment.',
    'Procesatorul de plăți nu răspunde. Încearcă din nou peste câteva momente.',
  ],
  provider_out_of_use: [
    502,
    'This payment provider is no longer in use.',
    'Acest procesator de plăți nu mai este în uz.',
  ],

  deposit_not_paid: [
    409,
    'Only a paid deposit can be refunded.',
    'Doar o alimentare plătită poate fi rambursată.',
  ],
  deposit_refund_late: [
    409,
    'A deposit can be refunded within {days} days. Contact support.',
    'Termenul de rambursare a unei alimentări (în zile: {days}) a trecut. Contactează suportul.',
  ],
  transfer_refund_by_hand: [
    409,
    'What was paid by bank transfer is refunded to a bank account. Support needs its IBAN.',
    'Ce s-a plătit prin transfer bancar se rambursează într-un cont bancar. Suportul are nevoie de IBAN.',
  ],
  refund_pending: [
    409,
    'A refund of this payment is in progress.',
    'O rambursare a acestei plăți este în curs.',
  ],
  refund_most: [
    409,
    'At most {most} {currency} without VAT can be refunded of this payment now.',
    'Din această plată se pot rambursa acum cel mult {most} {currency} fără TVA.',
  ],
  insufficient_balance: [
    409,
    'Only what is left of a deposit can be refunded.',
    'Se poate rambursa doar ce a rămas dintr-o alimentare.',
  ],

  transfer_recorded_otherwise: [
    409,
    'This reference is that of payment {payment}, with a different amount, day or document. If that one is a mistake, take it back first, at the payments of the client.',
    'Această referință este a plății {payment}, cu altă sumă, zi sau alt document. Dacă aceea este o greșeală, retrage-o întâi, la plățile clientului.',
  ],
  transfer_not_by_hand: [
    409,
    'Only a transfer that was recorded by hand, and that was neither refunded nor taken back, can be taken back here.',
    'Aici se poate retrage doar un transfer înregistrat manual, care nu a fost rambursat sau retras.',
  ],
  transfer_of_colleague: [
    409,
    'Whoever recorded this transfer takes it back, or an administrator.',
    'Acest transfer îl retrage cine l-a înregistrat sau un administrator.',
  ],
  transfer_document_unfit: [
    409,
    'Only a proforma or a bill can be paid by transfer.',
    'Prin transfer se poate plăti doar o proformă sau o factură.',
  ],
  transfer_currency_changed: [
    409,
    'The document is in {currency}, but the account is now kept in {wanted}. Change the currency back while nothing is kept in it, record what came in {wanted} for a new proforma, or send the money back.',
    'Documentul este în {currency}, dar contul se ține acum în {wanted}. Schimbă moneda înapoi cât timp nu se ține nimic în ea, înregistrează ce a venit în {wanted} pentru o proformă nouă sau trimite banii înapoi.',
  ],
  transfer_ahead: [422, 'This day is in the future.', 'Această zi este în viitor.'],
  transfer_too_old: [422, 'This day is more than a year ago.', 'Această zi este cu peste un an în urmă.'],
  dispute_not_open: [409, 'This dispute is already decided.', 'Această contestație este deja decisă.'],
  dispute_answered: [
    409,
    'This dispute was answered already, and the provider takes one answer.',
    'La această contestație s-a răspuns deja, iar procesatorul acceptă un singur răspuns.',
  ],
  dispute_answer_late: [409, 'The last day for an answer is over.', 'Termenul pentru răspuns a trecut.'],
  dispute_answer_refused: [
    409,
    'The provider did not take the answer. Look at the dispute in the provider’s own pages.',
    'Procesatorul nu a acceptat răspunsul. Verifică contestația în paginile procesatorului.',
  ],
})
