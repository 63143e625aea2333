-- The process that asks a provider for a payment may be killed before the charge, or before the result is
-- recorded. So each payment queues a job that checks it once, later than any live process would have its
-- answer.

create or replace function payment_look() returns trigger language plpgsql as $$
begin
  perform graphile_worker.add_job('payment.look', json_build_object('paymentId', new.id), job_key => 'look:' || new.id,
    max_attempts => 10, run_at => now() + interval '45 seconds');
  return null;
end $$;
