-- expand
-- What was posted since the reports were computed, whatever day it counts for.
create index concurrently ledger_transactions_by_age on ledger_transactions using brin (created_at);
