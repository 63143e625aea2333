-- Whoever asked a provider for a payment may be killed at any moment: before it was charged, or before it was written down that
-- it was. So each payment is looked at once by a job that is written with it. By then whoever is alive has its answer.

create function payment_look() returns trigger language plpgsql as $$
begin
  perform graphile_worker.add_job('payment.look', json_build_object('paymentId', new.id), job_key => 'look:' || new.id,
    max_attempts => 10, run_at => now() + interval '45 seconds');
  return null;
end $$;
create trigger look after insert on payments for each row when (new.status = 'created') execute function payment_look();

-- And one that was interrupted too is asked about by whoever is there within the minute.
alter table payments alter next_look_at set default now() + interval '45 seconds';
