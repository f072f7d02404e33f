-- Reactions take any single emoji, no longer one of eight. A check can tell signs of the blocks that emoji come from, a letter or digit only
-- as a keycap, two regional letters as a flag, and signs joined as families are; it cannot tell whether Unicode has assigned the sign or joined
-- it so. That is left to the picker. The longest that Unicode recommends has ten characters.

alter table public.comment_reactions drop constraint comment_reactions_emoji_known;
alter table public.comment_reactions add constraint comment_reactions_emoji_single check (
  char_length(emoji) <= 16 and emoji ~ (
    '^(?:[0-9#*]\uFE0F?\u20E3|[\U0001F1E6-\U0001F1FF]{2}|'
    '(?:[\u00A9\u00AE\u203C\u2049\u2122\u2139\u2194-\u21AA\u231A-\u23FF\u24C2\u25AA-\u25FE\u2600-\u27BF\u2934\u2935\u2B05-\u2B55\u3030\u303D\u3297\u3299\U0001F000-\U0001F1E5\U0001F200-\U0001F3FA\U0001F400-\U0001FAFF]'
    '\uFE0F?[\U0001F3FB-\U0001F3FF]?\uFE0F?(?:[\U000E0020-\U000E007E]{2,6}\U000E007F)?)'
    '(?:\u200D[\u2194-\u21AA\u231A-\u23FF\u2600-\u27BF\u2B05-\u2B55\U0001F200-\U0001F3FA\U0001F400-\U0001FAFF]\uFE0F?[\U0001F3FB-\U0001F3FF]?\uFE0F?)*)$'
  )
);
