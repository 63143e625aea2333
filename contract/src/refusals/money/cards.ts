import { declare } from '../refusal.ts'

/** Refusals of cards and automatic payment. */
export const cardRefusals = declare({
  no_card: [
    409,
    'There is no card that can be charged. Add one first.',
    'Nu există un card care poate fi debitat. Adaugă unul mai întâi.',
  ],
  payment_failed: [402, 'The card was refused.', 'Cardul a fost refuzat.'],
  card_not_chargeable: [409, 'This card can no longer be charged.', 'Acest card nu mai poate fi debitat.'],
  card_automatic: [
    409,
    'Automatic payment uses this card. Choose another card for it first.',
    'Plata automată folosește acest card. Alege mai întâi alt card pentru ea.',
  ],
  card_in_use: [
    409,
    'A payment with this card is not finished yet.',
    'O plată cu acest card nu s-a încheiat încă.',
  ],
  card_refused_today: [
    429,
    'This card was refused today. Use another, or try again tomorrow.',
    'Acest card a fost refuzat astăzi. Folosește altul sau încearcă din nou mâine.',
  ],
  card_not_listed: [
    422,
    'Only the test cards are accepted here. Never enter a real card.',
    'Aici se acceptă doar cardurile de test. Nu scrie niciodată un card real.',
  ],
  cards_tried_often: [
    429,
    'Too many card attempts. Try again in an hour.',
    'Prea multe încercări cu carduri. Încearcă din nou peste o oră.',
  ],
  setup_unanswered: [
    409,
    'The payment provider has not answered yet. Start again.',
    'Procesatorul de plăți nu a răspuns încă. Ia-o de la capăt.',
  ],

  automatic_off: [409, 'Automatic payment is off.', 'Plata automată este oprită.'],
  automatic_needs_card: [
    409,
    'Automatic payment needs a card that can be charged.',
    'Plata automată are nevoie de un card care poate fi debitat.',
  ],
  automatic_keeps_card: [
    409,
    'Automatic payment needs a card. Turn it off first.',
    'Plata automată are nevoie de un card. Oprește-o mai întâi.',
  ],
  automatic_rule_exists: [409, 'This account already has a rule.', 'Acest cont are deja o regulă.'],
  automatic_card_foreign: [422, 'This card belongs to another account.', 'Acest card aparține altui cont.'],
  automatic_cards_same: [
    422,
    'The second card must be different from the first.',
    'Al doilea card trebuie să fie diferit de primul.',
  ],
  automatic_cap_small: [422, 'Must cover at least one payment', 'Trebuie să acopere cel puțin o plată'],
})
