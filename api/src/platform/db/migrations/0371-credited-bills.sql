-- expand
-- The few bills of a client of which something was credited: a payment of one of them may be refunded from what came back.
create index concurrently invoices_credited_bills on invoices (client_id) where kind = 'fiscal' and reason <> 'advance' and credited > 0;
