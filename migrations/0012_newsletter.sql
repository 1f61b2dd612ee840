-- Who wants product news, since when, and who wants it no more: that is remembered too, so that nobody is subscribed again unasked.
create table newsletter_subscriptions (
  id bigint generated always as identity primary key,
  email text not null,
  first_name text,
  consented_at timestamptz not null,
  unsubscribed_at timestamptz,
  -- Stands in the link at the end of each mail: it can do nothing but unsubscribe.
  token text not null unique
);

create unique index newsletter_subscriptions_email on newsletter_subscriptions (lower(email));
