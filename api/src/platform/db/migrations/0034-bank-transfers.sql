-- Money that came to the bank account, as staff reads it from a statement. A line of a statement is what a provider's object is
-- for a card: `provider_ref` is its reference, once for ever (payments_provider_ref).

alter table payments
  -- The local day of the operator on which the money was there: VAT falls due on it.
  add column received_on date,
  add column recorded_by bigint references admins,
  add constraint payments_transfer check ((provider = 'bank') = (method = 'bank_transfer')
    and (provider = 'bank') = (received_on is not null) and (provider <> 'bank' or provider_ref is not null));

-- A card pays a proforma once; transfers may come in parts, or once more.
alter table payments drop constraint payments_proforma_id_key;
create unique index payments_one_of_proforma on payments (proforma_id) where provider <> 'bank';
create index payments_of_proforma on payments (proforma_id) where proforma_id is not null;
