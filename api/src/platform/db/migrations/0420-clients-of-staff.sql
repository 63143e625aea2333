-- expand
-- Lists of everybody's money leave these few out.
create index concurrently clients_of_staff on clients (id) where kind = 'staff';
