// Patterns that are not linear, or are put together at run time, and stay: each with the reason why nobody's text makes it slow. `npm run check`
// refuses any other one, and those that are listed here and gone.

const ofOperator = 'a setting, flag or address that an operator writes';
const ofMigrations = 'over the statements of our own migrations';
const exact = 'pieces of fixed length, or none that repeats';

/** File → patterns as they stand there (of those put together, the beginning) → reason. */
export const allowedPatterns = {
  'server/commands/backup-places.ts': { '^s3:\\/\\/([^/]+)\\/?(.*)$': ofOperator },
  'server/commands/parse-arguments.ts': { '^[a-z][a-z0-9+.-]*:\\/\\/[^\\s/@]*:[^\\s/@]+@': ofOperator },
  'server/commands/run-export.ts': { '\\/+$': ofOperator },
  'server/data/answer-request.ts': {
    '^bearer(?:\\s+(.*))?$': 'a header has no line break, so what follows always fits',
  },
  'server/data/plan-cache.ts': { "new RegExp(id, 'g')": exact, 'new RegExp(`(?<==eq': exact },
  'server/data/openapi/describe-values.ts': { "^'+|'+$": 'a default as the owner of the tables wrote it' },
  'server/database/expected-objects.ts': {
    'new RegExp(`^create (?:unlogged )?table': ofMigrations,
    'new RegExp(`^alter table': ofMigrations,
    'new RegExp(`^create (?:or replace )?(?:function': ofMigrations,
    'new RegExp(`^drop table': ofMigrations,
    'new RegExp(`^drop (?:function': ofMigrations,
  },
  'server/database/rules/read-rules.ts': {
    'new RegExp(`^create or replace (?:function': ofMigrations,
    'new RegExp(`^create or replace view': ofMigrations,
    'new RegExp(`^create policy': ofMigrations,
    'new RegExp(`^create (?:or replace trigger': ofMigrations,
    'new RegExp(`^select': ofMigrations,
  },
  'server/database/wire/target.ts': { '\\/+$': ofOperator },
  'server/identity/requests/guess-limits.ts': {
    'new RegExp(`(?:^|; *)': 'over a header of 16 kB; its one repetition has one character',
  },
  'server/identity/requests/redirects.ts': {
    'new RegExp(`^${source': 'of the allow list of an operator, over addresses of limited length',
  },
  'server/pages/serve-pages.ts': { '(<meta\\s+name="kanbase-settings"\\s+content=")[^"]*(")': 'over our own page' },
  'server/mail/fill-template.ts': { '=\\s*["\'][^"\'<>]*\\?[^"\'<>]*$': 'over a template that an operator writes' },
  'server/open-services.ts': { '\\/+$': ofOperator },
  'server/realtime/changes/access/access-tables.ts': {
    'new RegExp(`(from|join|,)': 'over policies and functions, which the owner of the tables writes',
  },
  'web/editor/mentions.ts': { 'new RegExp(': 'alternatives of fixed words, begun at an @ or a word’s edge' },
  'web/queries/people/name-device.ts': {
    '\\((?:Macintosh|iPhone|iPad|iPod)\\b.*\\bVersion\\/.*\\bSafari\\/': 'over the name of one’s own browser, a header',
  },
  'web/screens/task/attachments/use-file-field.ts': { 'new RegExp(`!?': 'repeats five hundred times at most' },
  'web/strings/language.ts': { 'new RegExp(`(?:^|; )': 'over one’s own cookies' },
  'web/strings/numbers.ts': { 'new RegExp(`^-?': 'over a number that one types; groups of three figures' },
  'web/ui/text/parse-markdown.ts': {
    'new RegExp(`^(?:': 'fixed words at one place of the text',
    'new RegExp(`^@(': 'fixed words at one place of the text',
  },
};
