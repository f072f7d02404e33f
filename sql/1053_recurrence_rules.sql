-- Recurrence rules whose day no month has (the 30th of February) are refused when they are written.

-- The rule as it is kept: upper case, without blanks, its parts checked. Whatever it cannot be is said in a sentence.
create or replace function private.read_recurrence_rule(rule text) returns text
language plpgsql immutable set search_path = '' as $$
declare
  clean constant text := regexp_replace(upper(regexp_replace(coalesce(rule, ''), '\s', '', 'g')), '^RRULE:|;$', '', 'g');
  freq constant text := substring(clean from '(?:^|;)FREQ=([A-Z]+)');
  part text;
  name text;
  value text;
  names text[] := '{}';
  fits boolean;
  problem text;
begin
  if char_length(clean) > 300 then
    problem := 'it is longer than 300 signs';
  elsif freq is null or freq <> all (array['DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY']) then
    problem := 'FREQ must be DAILY, WEEKLY, MONTHLY or YEARLY';
  end if;
  foreach part in array string_to_array(clean, ';') loop
    exit when problem is not null;
    name := split_part(part, '=', 1);
    value := substr(part, char_length(name) + 2);
    if name = any (names) then
      problem := format('%s is said twice', name);
      exit;
    end if;
    names := names || name;
    fits := case name
      when 'FREQ' then true
      when 'INTERVAL' then value ~ '^[1-9]\d{0,2}$'
      when 'COUNT' then value ~ '^[1-9]\d{0,2}$'
      when 'UNTIL' then value ~ '^\d{8}(T\d{6}Z?)?$' and private.is_day(left(value, 8))
      when 'BYDAY' then value ~ case when freq in ('MONTHLY', 'YEARLY')
        then '^([+-]?[1-5])?(MO|TU|WE|TH|FR|SA|SU)(,([+-]?[1-5])?(MO|TU|WE|TH|FR|SA|SU))*$'
        else '^(MO|TU|WE|TH|FR|SA|SU)(,(MO|TU|WE|TH|FR|SA|SU))*$' end
      when 'BYMONTHDAY' then freq <> 'WEEKLY' and value ~ '^[+-]?([1-9]|[12]\d|3[01])(,[+-]?([1-9]|[12]\d|3[01]))*$'
      when 'BYMONTH' then value ~ '^([1-9]|1[0-2])(,([1-9]|1[0-2]))*$'
      when 'BYSETPOS' then freq in ('MONTHLY', 'YEARLY') and value ~ '^[+-]?[1-9]\d{0,2}(,[+-]?[1-9]\d{0,2})*$'
      when 'WKST' then value ~ '^(MO|TU|WE|TH|FR|SA|SU)$'
    end;
    if fits is null then
      problem := format('%s is not known: a rule has FREQ, INTERVAL, COUNT, UNTIL, BYDAY, BYMONTHDAY, BYMONTH, BYSETPOS and WKST', coalesce(nullif(name, ''), 'an empty part'));
    elsif not fits then
      problem := format('%s cannot be %s', name, coalesce(nullif(value, ''), 'empty'));
    end if;
  end loop;
  if problem is null and 'COUNT' = any (names) and 'UNTIL' = any (names) then
    problem := 'COUNT and UNTIL exclude each other';
  elsif problem is null and 'BYSETPOS' = any (names) and not names && array['BYDAY', 'BYMONTHDAY'] then
    problem := 'BYSETPOS needs BYDAY or BYMONTHDAY';
  elsif problem is null and 'BYMONTHDAY' = any (names) and clean ~ 'BYDAY=[^;]*\d' then
    problem := 'BYDAY with numbers and BYMONTHDAY exclude each other';
  elsif problem is null and clean ~ 'BYDAY=([^;]*,)?[A-Z]' and clean ~ 'BYDAY=[^;]*\d' then
    problem := 'BYDAY has a number before each of its days or before none';
  end if;
  if problem is null and names @> array['BYMONTH', 'BYMONTHDAY'] and not exists (
    select
    from unnest(string_to_array(substring(clean from 'BYMONTH=([^;]*)'), ',')) as months (month)
    cross join unnest(string_to_array(substring(clean from 'BYMONTHDAY=([^;]*)'), ',')) as days (day)
    where abs(day::integer) <= case when month::integer = 2 then 29 when month::integer in (4, 6, 9, 11) then 30 else 31 end
  ) then
    problem := 'no month that BYMONTH names has a day of BYMONTHDAY, so it would never come';
  end if;
  if problem is not null then
    raise exception using
      errcode = 'KB014',
      message = 'this is no rule by which a task can come again: ' || problem,
      hint = 'For example FREQ=WEEKLY;BYDAY=MO,TH or FREQ=MONTHLY;BYDAY=2TU.';
  end if;
  return regexp_replace(clean, '(UNTIL=\d{8})T\d{6}Z?', '\1');
end
$$;
