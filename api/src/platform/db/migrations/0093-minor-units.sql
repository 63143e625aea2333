-- Amounts of documents have at most two decimals, and none in the currencies of contract/src/rules/minor-units.ts.
alter table currencies add constraint currencies_minor_units check (decimals = case when code in ('BIF', 'CLP', 'DJF', 'GNF',
  'HUF', 'ISK', 'JPY', 'KMF', 'KRW', 'PYG', 'RWF', 'UGX', 'VND', 'VUV', 'XAF', 'XOF', 'XPF') then 0 else 2 end) not valid;
