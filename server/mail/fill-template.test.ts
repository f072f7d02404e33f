import { expect, test } from 'vitest';
import { fillHtml, fillText, type TemplateValues } from './fill-template.ts';

const data: Record<string, string> = {
  url: 'https://api.test/auth/v1/verify?token=1&type=signup',
  code: '123456',
  token_hash: 'pkce_ab',
  site_url: 'https://app.test',
  redirect_to: 'https://app.test/welcome?a=b&c=d',
  email: 'ada@example.test',
};
const values: TemplateValues = {
  text: (name) => data[name] ?? '',
  about: (name) => ({ name: 'Ada <b>' })[name] ?? '',
};

test('a link that a server confirms is written as the guides of Supabase write it', () => {
  const template =
    '<a href="{{ .SiteURL }}/auth/confirm?token_hash={{ .TokenHash }}&type=email&next={{ .RedirectTo }}">Go</a>';
  expect(fillHtml(template, values)).toBe(
    '<a href="https://app.test/auth/confirm?token_hash=pkce_ab&type=email&next=https%3A%2F%2Fapp.test%2Fwelcome%3Fa%3Db%26c%3Dd">Go</a>',
  );
});

test('our names and theirs mean the same, and what people say of themselves is escaped', () => {
  expect(fillHtml('<p>{{ .Data.name }}, {{data.name}}: {{ .Token }} {{code}}</p>', values)).toBe(
    '<p>Ada &lt;b&gt;, Ada &lt;b&gt;: 123456 123456</p>',
  );
  expect(fillHtml('<a href="{{ .ConfirmationURL }}">', values)).toBe(
    '<a href="https://api.test/auth/v1/verify?token=1&amp;type=signup">',
  );
  expect(fillText('{{ .Email }} {{email}} {{- .SiteURL -}} {{ .RedirectTo }}', values)).toBe(
    'ada@example.test ada@example.test https://app.test https://app.test/welcome?a=b&c=d',
  );
});

test('unknown placeholders become empty', () => {
  expect(fillText('[{{ .Nothing }}{{nothing}}{{ .Data.nothing }}{{ .Other.name }}]', values)).toBe('[]');
});
