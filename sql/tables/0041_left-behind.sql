-- Nothing of what tasks that moved to another project left behind is kept for longer than a day.

drop index private.former_places_left_shares_idx;
create index former_places_left_behind_idx on private.former_places (left_at) where left_behind <> '{}';
