import { declare } from '../refusal.ts'

/** Refusals of a file of plans and prices, at the desk and of the command. */
export const planRefusals = declare({
  plan_file_too_large: [422, 'The file has at most {most} MB.', 'Fișierul poate avea cel mult {most} MB.'],
  plan_file_not_json: [
    422,
    'This is not JSON: look at line {line}.',
    'Textul nu este JSON: verifică linia {line}.',
  ],
  plan_file_value: [422, 'In {path}: {fault}', 'În {path}: {fault}'],
  plan_file_twice: [422, '{path}: it is in the file twice.', '{path}: apare de două ori în fișier.'],
  plan_file_impossible: [
    422,
    'The database cannot keep a value of the file ({name}).',
    'Baza de date nu poate păstra o valoare din fișier ({name}).',
  ],
  plan_name_unknown: [422, 'The portal does not know this: {name}.', 'Portalul nu cunoaște: {name}.'],
  plan_price_past: [
    409,
    '{name}: what counted on {day} cannot change; usage:rerate is for that.',
    '{name}: ce a fost valabil la {day} nu se poate schimba; pentru aceasta există usage:rerate.',
  ],
  plan_price_today: [
    409,
    '{name}: another price begins on a day to come.',
    '{name}: alt preț începe într-o zi viitoare.',
  ],
  plan_price_unannounced: [
    409,
    '{name}: a dearer price begins on {day} at the earliest.',
    '{name}: un preț mai mare începe cel mai devreme la {day}.',
  ],
  plan_prices_overlap: [
    422,
    '{name}: two prices count on {day}.',
    '{name}: două prețuri sunt valabile la {day}.',
  ],
  price_list_currency_kept: [
    409,
    '{name}: a price list keeps its currency.',
    '{name}: o listă de prețuri își păstrează moneda.',
  ],
  plan_price_missing: [
    422,
    'A price is missing in {currency}: {name}.',
    'Lipsește un preț în {currency}: {name}.',
  ],
  prices_missing: [
    422,
    'Prices are missing for what is offered or used.',
    'Lipsesc prețuri pentru ce este oferit sau folosit.',
  ],
  currency_without_default: [
    409,
    'Accounts are kept in a currency that would have no default price list.',
    'Există conturi într-o monedă care nu ar mai avea o listă implicită de prețuri.',
  ],
  plan_kept: [
    409,
    'A plan keeps its code, and is no draft again once it was offered.',
    'Un plan își păstrează codul și nu mai devine ciornă după ce a fost oferit.',
  ],
  plan_limit_lowered: [
    409,
    'Limits of a plan that was offered only rise.',
    'Limitele unui plan care a fost oferit pot doar să crească.',
  ],
  plan_price_too_fine: [
    422,
    'A price a month has no more decimals than its currency.',
    'Un preț pe lună nu are mai multe zecimale decât moneda lui.',
  ],
  price_list_default_twice: [
    422,
    'A currency has one default price list.',
    'O monedă are o singură listă implicită de prețuri.',
  ],
  plan_code_taken: [409, 'Another plan has this code.', 'Alt plan are acest cod.'],
  plan_announced: [
    409,
    'An announcement is about this plan, so it stays.',
    'Un anunț este despre acest plan, deci planul rămâne.',
  ],
  plan_not_draft: [
    409,
    'This plan was offered already. Change it in the file.',
    'Acest plan a fost deja oferit. Schimbă-l în fișier.',
  ],
  plans_changed_since: [
    409,
    'Plans, prices or the text changed since the preview. Preview again.',
    'Planurile, prețurile sau textul s-au schimbat de la previzualizare. Previzualizează din nou.',
  ],
  plans_unchanged: [
    409,
    'The file matches the current plans: nothing to change.',
    'Fișierul este la fel ca planurile actuale: nu este nimic de schimbat.',
  ],
})
