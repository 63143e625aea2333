-- expand
-- When the last message of the payment provider arrived, for the checks and the settings of the desk.
create index concurrently payment_events_received on payment_events (provider, received_at);
