-- Plans are changed and cancelled on Stripe's customer portal. By its customer a subscription is recognised as ours, so the row of a
-- customer outlives its account: Stripe has still to be told. One checkout of a customer can be paid at a time.
delete from stripe_customers where customer_id is null;
insert into stripe_customers (user_id, customer_id)
  select user_id, customer_id from subscriptions where provider = 'stripe'
  on conflict do nothing;

alter table stripe_customers drop constraint stripe_customers_pkey;
alter table stripe_customers drop constraint stripe_customers_customer_id_key;
alter table stripe_customers drop constraint stripe_customers_user_id_fkey;
alter table stripe_customers alter column user_id drop not null;
alter table stripe_customers drop column key;
alter table stripe_customers add primary key (customer_id);
alter table stripe_customers add unique (user_id);
alter table stripe_customers add foreign key (user_id) references users on delete set null;

-- The checkout that was begun last, at Stripe.
alter table stripe_customers add column session_id text;
update stripe_customers set session_id = (
  select session_id from stripe_checkouts
  where stripe_checkouts.user_id = stripe_customers.user_id and session_id is not null
  order by begun_at desc limit 1
);

drop table stripe_checkouts;
drop table stripe_events;
