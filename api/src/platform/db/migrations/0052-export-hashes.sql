-- The file of a copy is compared with its SHA-256 before it is sent, as every stored file is. Copies of before have none.
alter table data_exports add column sha256 text check (sha256 ~ '^[0-9a-f]{64}$');
