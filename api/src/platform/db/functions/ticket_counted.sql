create or replace function ticket_counted(p_ticket tickets, p_by int) returns void language sql as $$
  insert into ticket_counts as c
    (client_id, opened_by_client_id, panel_id, ticket_department_id, ticket_status_id, client_unread, many)
  values (p_ticket.client_id, p_ticket.opened_by_client_id, p_ticket.panel_id, p_ticket.ticket_department_id,
    p_ticket.ticket_status_id, p_ticket.client_unread, greatest(p_by, 0))
  on conflict on constraint ticket_counts_once do update set many = c.many + p_by
$$;
