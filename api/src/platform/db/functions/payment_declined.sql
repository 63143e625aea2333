-- Whether a payment failed at its card. A charge that its provider never received says nothing of the card.
create or replace function payment_declined(p_payment payments) returns boolean language sql stable as $$
  select p_payment.status = 'failed' and p_payment.failure_code is distinct from 'never_charged'
$$;
