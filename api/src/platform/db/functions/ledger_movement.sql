-- What a posting did to money at a provider or the bank, in the words of the files for the accounts. A reversal is named by
-- what it reverses.
create or replace function ledger_movement(p_kind text, p_reversed text, p_source_type text) returns text
language sql immutable as $$
  select case
    when p_kind = 'provider_fee' then 'fee'
    when p_kind = 'reversal' and p_reversed = 'refund' then 'refund_returned'
    when p_kind = 'reversal' or (p_source_type = 'dispute_part' and p_kind <> 'dispute') then 'dispute_won'
    when p_kind = 'dispute' then 'dispute_lost'
    when p_kind = 'bank_receipt' then 'statement'
    when p_kind in ('deposit', 'bill_payment') then 'payment'
    else p_kind
  end
$$;
