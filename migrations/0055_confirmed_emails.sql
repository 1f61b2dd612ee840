-- False while the address of a registration waits for its confirmation. Accounts from before count as confirmed.
alter table users add column email_confirmed boolean not null default true;
