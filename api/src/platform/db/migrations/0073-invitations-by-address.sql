-- The bar counts the invitations to the address of its reader.
create index share_invitations_to on share_invitations (invited_email) where not accepted;
