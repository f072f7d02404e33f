-- What is written goes into the index of words at once. Words that wait in its list are read through by every lookup: a search in a thousand
-- projects looks a thousand times, and took four times as long with half a megabyte in the list. A write costs the same either way: each word
-- stands behind its project, so there was little to gain from putting many in together.
alter index private.task_search_document_idx set (fastupdate = off);
select gin_clean_pending_list('private.task_search_document_idx'::regclass);
