-- Invitations and public links of tasks that moved to another project are kept for a day.

create index former_places_left_shares_idx on private.former_places (left_at) where left_behind ? 'invitations';
