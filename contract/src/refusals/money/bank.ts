import { declare } from '../refusal.ts'

/** Refusals of bank statements and of their lines. */
export const bankRefusals = declare({
  statement_too_large: [
    413,
    'A statement can have at most {most}. Export a shorter period.',
    'Un extras poate avea cel mult {most}. Exportă o perioadă mai scurtă.',
  ],
  statement_empty: [422, 'The file is empty.', 'Fișierul este gol.'],
  statement_format_unknown: [
    422,
    'This is no statement in CAMT.053, MT940 or CSV. Export it from the bank in one of these formats.',
    'Acesta nu este un extras CAMT.053, MT940 sau CSV. Exportă-l de la bancă într-unul dintre aceste formate.',
  ],
  statement_encoding: [
    422,
    'The file is not valid {encoding}. Export it from the bank again, as UTF-8.',
    'Fișierul nu este {encoding} valid. Exportă-l din nou de la bancă, ca UTF-8.',
  ],
  statement_doctype: [
    422,
    'Line {line}: the file has a document type declaration, which no bank statement needs.',
    'Linia {line}: fișierul are o declarație de tip de document, de care niciun extras nu are nevoie.',
  ],
  statement_unreadable: [
    422,
    'Line {line}: the file cannot be read ({what}). It may be cut off or damaged.',
    'Linia {line}: fișierul nu poate fi citit ({what}). Poate fi trunchiat sau deteriorat.',
  ],
  statement_incomplete: [
    422,
    'The statement has no {what}. It may be cut off.',
    'Extrasul nu are {what}. Poate fi trunchiat.',
  ],
  statement_line_invalid: [
    422,
    'Line {line}: {what} is missing or invalid.',
    'Linia {line}: lipsește sau este greșit: {what}.',
  ],
  statement_other_account: [
    422,
    'This statement is of another account ({found}) than ours ({own}).',
    'Extrasul este al altui cont ({found}) decât al nostru ({own}).',
  ],
  statement_balance_differs: [
    422,
    'The opening balance {opening} and the lines make {sum}, but the closing balance is {closing}. Lines are missing or changed.',
    'Soldul inițial {opening} și liniile dau {sum}, dar soldul final este {closing}. Lipsesc linii sau au fost modificate.',
  ],
  statement_columns_needed: [
    422,
    'Choose which columns of this file are the day and the amount.',
    'Alege care coloane ale fișierului sunt ziua și suma.',
  ],
  statement_column_missing: [422, 'The file has no column “{name}”.', 'Fișierul nu are coloana „{name}”.'],
  statement_column_twice: [
    422,
    'The file has several columns “{name}”. Rename the one that counts, or choose another.',
    'Fișierul are mai multe coloane „{name}”. Redenumește-o pe cea care contează sau alege alta.',
  ],
  bank_account_missing: [
    409,
    'The operator has no bank account yet.',
    'Operatorul nu are încă un cont bancar.',
  ],
  bank_line_decided: [
    409,
    'This line is already matched, ignored or sent back.',
    'Această linie este deja asociată, ignorată sau returnată.',
  ],
  bank_line_doubtful: [
    409,
    'Say first whether this is the money of the other line.',
    'Spune întâi dacă sunt aceiași bani ca la cealaltă linie.',
  ],
  bank_line_not_doubtful: [
    409,
    'This line was never doubtful.',
    'Această linie nu a fost niciodată îndoielnică.',
  ],
  bank_line_other_unfit: [
    422,
    'Choose another line of the same amount, which is not this one itself.',
    'Alege altă linie cu aceeași sumă, care nu este chiar aceasta.',
  ],
  bank_line_other_gone: [
    409,
    'The other line was taken back, so that this money is in no book. Take this line for other money.',
    'Cealaltă linie a fost retrasă, deci acești bani nu sunt înregistrați. Consideră că sunt alți bani.',
  ],
  bank_line_open: [
    409,
    'There is nothing to undo on this line.',
    'La această linie nu este nimic de anulat.',
  ],
  bank_line_currency: [
    422,
    'The line is in {currency}, and the client pays in {wanted}.',
    'Linia este în {currency}, iar clientul plătește în {wanted}.',
  ],
  bank_line_own_import: [
    403,
    'You imported this statement yourself, or took back a colleague’s decision about the line, and the amount is above your limits for transfers recorded by hand. A colleague can match the line.',
    'Ai importat chiar tu acest extras sau ai anulat decizia unui coleg despre linie, iar suma depășește limitele tale pentru transferuri înregistrate manual. Linia o poate asocia un coleg.',
  ],
  bank_line_target: [
    422,
    'Choose one document, one client or one recorded transfer.',
    'Alege un document, un client sau un transfer înregistrat.',
  ],
  bank_line_taken_back: [
    409,
    'The import of this line was taken back. Import its file again.',
    'Importul acestei linii a fost retras. Importă fișierul din nou.',
  ],
  bank_statement_imported: [
    409,
    'This file was imported before. Take that import back, then import the file with other columns.',
    'Fișierul a fost deja importat. Retrage acel import, apoi importă fișierul cu alte coloane.',
  ],
  bank_statement_not_doubtful: [
    409,
    'This import has no doubtful line that could be the same.',
    'Acest import nu are nicio linie îndoielnică ce ar putea fi aceeași.',
  ],
  bank_statement_matched: [
    409,
    'Every line of this import is matched. Undo a match first.',
    'Toate liniile acestui import sunt asociate. Anulează întâi o asociere.',
  ],
  bank_statement_taken_back: [409, 'This import was taken back before.', 'Acest import a fost deja retras.'],
  bank_payment_matched: [
    409,
    'This transfer is recorded as payment {payment}, which another line shows. Ignore this line if it is the same money.',
    'Acest transfer este înregistrat ca plata {payment}, pe care o arată altă linie. Ignoră linia dacă sunt aceiași bani.',
  ],
  bank_payment_unfit: [
    409,
    'Payment {payment} is not a transfer that was recorded by hand, or it was refunded.',
    'Plata {payment} nu este un transfer înregistrat manual sau a fost rambursată.',
  ],
  bank_payment_amount: [
    422,
    'Payment {payment} is {paid}, and the line is {amount}.',
    'Plata {payment} este de {paid}, iar linia de {amount}.',
  ],
  bank_match_used: [
    409,
    'A part of this money was used, refunded or paid a bill. Correct it at the client.',
    'O parte din acești bani a fost folosită, rambursată sau a plătit o factură. Corectează la client.',
  ],
})
