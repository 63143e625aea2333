-- A payment of our own that was settled while a message about it was read was reported as unknown.
update staff_alerts a set resolved_at = now()
  where kind = 'unknown_payment' and resolved_at is null
    and exists (select from payments p where p.provider || ' ' || p.provider_ref = a.about);
