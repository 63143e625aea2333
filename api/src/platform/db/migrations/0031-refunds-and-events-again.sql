-- What is needed to ask again about a refund, or a message of a provider, whose job was lost.

-- What a message is about: those of something else were waiting for nobody.
alter table payment_events add column about text not null default 'other'
  check (about in ('payment', 'setup', 'refund', 'dispute', 'method', 'other'));
update payment_events set about = case
  when type like 'charge.dispute.%' or type like 'dispute.%' then 'dispute'
  when type like 'charge.refund.%' or type like 'refund.%' then 'refund'
  when type like 'payment\_intent.%' or type like 'payment.%' or type = 'charge.refunded' then 'payment'
  when type like 'setup\_intent.%' or type like 'setup.%' then 'setup'
  when type like 'payment\_method.%' then 'method'
  else 'other' end;
update payment_events set processed_at = received_at where processed_at is null and (about = 'other' or object_ref = '');
alter table payment_events alter column about drop default;

-- When it was begun, in real time: a provider remembers the key of a request for a day from then.
alter table payment_refunds add column begun_at timestamptz not null default now();
update payment_refunds set begun_at = least(created_at, now());
create index payment_refunds_open on payment_refunds (updated_at) where status = 'pending';
