// Sentences about what the server refused, for a reader who does not read the server's own.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { speakEnglish } from '../../test/helpers/english.ts';
import german from '../strings/de/app.json';
import { type Catalog, setCatalog } from '../strings/messages.ts';
import { Refusal } from '../sync/door.ts';
import { sayRefusal } from './refusals.ts';

const wordsOf = (code: string, status: number, details: string | null = null) =>
  sayRefusal(new Refusal('row 3 is refused by rule xyz', code, status, details, 'Change the row.'));

beforeAll(() => setCatalog(german as unknown as Catalog, 'de'));
afterAll(() => speakEnglish());

describe('a refusal', () => {
  test('is wordsOf in the language of the reader, with its figures and names', () => {
    expect(wordsOf('PT402', 402, 'projects: 3')).toBe(
      'Dein Tarif erlaubt 3 Projekte. Archiviere oder lösche ein Projekt, oder wähle einen größeren Tarif.',
    );
    expect(wordsOf('PT402', 402, 'members_per_project: 1')).toContain('erlaubt 1 Mitglied.');
    expect(wordsOf('KB001', 409, 'Waits for: WEB-1, WEB-2')).toContain('WEB-1, WEB-2');
  });

  test('is in the words of the server only where the app asked for something that cannot be', () => {
    const cases: readonly (readonly [code: string, status: number])[] = [
      ...['22001', '22003', '22007', '22P02', '23502', '23514', '23505', '23503', '40001', '57014', '42501'].map(
        (code) => [code, 400] as const,
      ),
      ...['KB002', 'KB003', 'KB004', 'KB005', 'KB006', 'KB007', 'KB008', 'KB009', 'KB012', 'PT409'].map(
        (code) => [code, 409] as const,
      ),
      ...[0, 401, 403, 404, 413, 429, 500, 502, 503, 504].map((status) => ['', status] as const),
    ];
    expect(cases.filter(([code, status]) => /row 3|Englisch/.test(wordsOf(code, status)))).toEqual([]);
    expect(wordsOf('KB429', 429)).toContain('Das war viel auf einmal.');
    expect(wordsOf('22023', 400)).toContain('auf Englisch: Row 3 is refused by rule xyz. Change the row.');
  });
});
