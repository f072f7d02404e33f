import { describe, expect, it } from 'vitest';
import { normalizeEmail, readLead } from './read-lead.ts';

describe('normalizeEmail', () => {
  const same: Record<string, string> = {
    'ada@example.com': 'ada@example.com',
    '  Ada.Lovelace+news@Example.COM \n': 'ada.lovelace+news@example.com',
    "o'brien@a-b.co.uk": "o'brien@a-b.co.uk",
    'ada@bücher.example': 'ada@xn--bcher-kva.example',
    'jürgen@example.com': 'jürgen@example.com',
    '=cmd@example.com': '=cmd@example.com',
  };
  for (const [text, address] of Object.entries(same))
    it(`reads ${JSON.stringify(text)}`, () => expect(normalizeEmail(text)).toBe(address));

  const none = [
    'ada',
    'ada@',
    '@example.com',
    'ada@example',
    'ada@@example.com',
    'a b@example.com',
    'ada@exa mple.com',
    '.ada@example.com',
    'ada.@example.com',
    'a..da@example.com',
    'ada@-example.com',
    'ada@example-.com',
    'ada@.com',
    'ada@example..com',
    'ada@127.0.0.1',
    'ada@[127.0.0.1]',
    '"ada"@example.com',
    'ada@example.com,bob@example.com',
    'ada@example.com\r\nBcc: all@example.com',
    'ada\u0000@example.com',
    `${'a'.repeat(65)}@example.com`,
    `ada@${'a'.repeat(64)}.com`,
    `ada@${'abc.'.repeat(70)}com`,
    '<ada@example.com>',
    'mailto:ada@example.com',
  ];
  for (const text of none)
    it(`refuses ${JSON.stringify(text).slice(0, 50)}`, () => expect(normalizeEmail(text)).toBeNull());
});

describe('readLead', () => {
  for (const body of [{}, { email: null }, { email: '' }, { email: '   ' }])
    it(`misses the address in ${JSON.stringify(body)}`, () =>
      expect(() => readLead(body, undefined)).toThrow('Email is required'));
  for (const email of [7, true, false, ['ada@example.com'], { a: 1 }, 'nobody'])
    it(`refuses ${JSON.stringify(email)}`, () =>
      expect(() => readLead({ email }, undefined)).toThrow('Email must be a valid address'));

  it('takes the source the page names, or the page itself without its query', () => {
    expect(readLead({ email: 'a@b.co', source: ' footer\u0000 ' }, 'https://x.test/y').source).toBe('footer');
    expect(readLead({ email: 'a@b.co' }, 'https://x.test/pricing?who=me').source).toBe('x.test/pricing');
    expect(readLead({ email: 'a@b.co', source: 5 }, 'nonsense').source).toBeNull();
    expect(readLead({ email: 'a@b.co', source: 'x'.repeat(999) }, undefined).source).toHaveLength(200);
  });
});
