-- Whether a client has what only a customer has: panels, cards, shared access, and what is unsettled or unanswered.
create or replace function is_customer(p_client bigint) returns boolean language sql stable as $$
  select exists (select from panels where client_id = p_client and deleted_at is null)
    or exists (select from cards where client_id = p_client and status <> 'removed')
    or exists (select from payments where client_id = p_client and status in ('created', 'processing', 'requires_action'))
    or exists (select from share_permissions where (inviting_client_id = p_client or invited_client_id = p_client) and revoked_at is null
      and (expires_at is null or expires_at > now()))
    or exists (select from tickets where client_id = p_client and closed_at is null)
    or exists (select from account_balances where client_id = p_client and account_balance <> 0)
$$;
