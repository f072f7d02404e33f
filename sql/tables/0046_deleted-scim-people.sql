-- Rows of identity providers about accounts that were deleted softly: their names may be somebody else's now.

delete from private.scim_people p using auth.users u where u.id = p.user_id and u.deleted_at is not null;
