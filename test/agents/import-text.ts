// A task of an imported file, with a text in its description, and maybe an assignee by name.

import { fitToLimits } from '../../server/imports/fit-to-limits.ts';
import { keepNames, matchPeople } from '../../server/imports/people.ts';
import { readFile } from '../../server/imports/products.ts';
import { writeImport } from '../../server/imports/write-import.ts';
import type { TestApp, TestUser } from '../helpers/app.ts';

export async function importText(
  app: TestApp,
  { id }: TestUser,
  projectId: string,
  text: string,
  assignee = '',
): Promise<void> {
  const fileName = 'theirs.csv';
  const file = Buffer.from(`Title,Description,Assignee\nImported,"${text.replaceAll('"', '""')}",${assignee}\n`);
  const { read, files } = await readFile(file, { fileName });
  const caller = { role: 'authenticated', claims: JSON.stringify({ sub: id, role: 'authenticated' }) };
  const matched = await matchPeople(app.database, caller, projectId, read.project.people);
  await writeImport({
    ...{ database: app.database, caller, userId: id, projectId, isNew: false, fileName },
    ...{ read: fitToLimits(keepNames(read, matched)), matched, files },
  });
}
