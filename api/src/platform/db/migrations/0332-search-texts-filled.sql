-- expand
-- Fills what clients are searched for by. Their rows stay readable meanwhile; a change of one waits.
update clients c
set search_text = client_search_text(o.first_name, o.last_name, o.email::text, e.company_name, e.vat_number)
from clients o left join client_entities e on e.client_id = o.id
where o.id = c.id and c.search_text is null;
