-- expand
-- Lost disputes, refunds and files of documents ask for the lines that name another document, each time among all lines.
create index concurrently invoice_lines_of_reference on invoice_lines (ref_invoice_id) where ref_invoice_id is not null;
