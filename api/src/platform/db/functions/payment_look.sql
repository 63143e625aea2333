-- Whoever asked a provider for a payment may be killed at any moment: before it was charged, or before it was written down that
-- it was. So each payment is looked at once by a job that is written with it. By then whoever is alive has its answer.

create or replace function payment_look() returns trigger language plpgsql as $$
begin
  perform graphile_worker.add_job('payment.look', json_build_object('paymentId', new.id), job_key => 'look:' || new.id,
    max_attempts => 10, run_at => now() + interval '45 seconds');
  return null;
end $$;
