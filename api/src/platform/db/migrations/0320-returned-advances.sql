-- expand
-- The credit note of a whole bill gives back what the bill had used of advances: an amount below zero, on the day of that note.
alter table advance_consumptions
  drop constraint advance_consumptions_amount_check,
  add constraint advance_consumptions_amount_check check (amount <> 0);
