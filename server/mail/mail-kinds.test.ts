import { describe, expect, test } from 'vitest';
import { languages, textsIn } from '../texts/texts.ts';
import { readMailData } from './mail-content.ts';
import { writeKind } from './mail-kinds.ts';

describe('a webhook that was turned off', () => {
  const data = { webhook: 'Builds', project_name: 'Web site', url: '/app/projects/1/settings' };
  const reasons = ['gone', 'failing', 'filter', 'secret', 'operator', 'maker'];
  const write = (language: string, reason: string) =>
    writeKind('webhook_off', readMailData({ ...data, reason }), 'Kanbase', textsIn(language));

  test.each(languages)('is told of with its reason and the next step: %s', (language) => {
    const mails = reasons.map((reason) => write(language, reason));
    expect(new Set(mails.map(({ paragraphs }) => paragraphs[0])).size).toBe(reasons.length);
    for (const { subject, paragraphs, action } of mails) {
      expect(subject).toContain('Builds');
      expect(paragraphs.join(' ')).not.toMatch(/[{}]/);
      expect(action?.url).toBe(data.url);
    }
  });

  test('is told of in plain words', () => {
    expect(write('en', 'failing').paragraphs).toEqual([
      'Web site no longer sends changes to the webhook Builds. Every delivery failed for a day.',
      'Once the receiver works again, turn it on and resend what it missed in the last two weeks.',
    ]);
  });
});
