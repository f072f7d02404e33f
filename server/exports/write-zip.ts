// A project with its files: the JSON of all its rows as `project.json`, and beside it each file under `files/<id of the attachment>/`. It is what an
// import makes the same project of. Several projects are a zip of such zips.

import { type ExportOptions, idsOf, type ReadFile, reading } from './export-options.ts';
import { fileName } from './task-page.ts';
import { writeJson } from './write-json.ts';
import { freeName, openZipWriter } from './zip-writer.ts';

interface Listed {
  readonly id: string;
  readonly name: string;
  readonly version: string;
  readonly encoding: string | null;
  readonly at: string;
}

export async function writeZip(options: ExportOptions): Promise<void> {
  const { database, caller, projects, out, signal, readFile } = options;
  const zip = openZipWriter(out);
  await zip.write('project.json', new Date(), (entry) => writeJson({ ...options, out: entry }));
  await database.streamAs(
    caller,
    {
      text: `select json_build_object('id', f.id, 'name', f.name, 'version', o.version, 'encoding', o.metadata ->> 'contentEncoding', 'at', f.created_at)::text from public.task_attachments f
        join storage.objects o on o.bucket_id = 'attachments' and o.name = f.object_path
        where f.project_id = any ($1::uuid[]) and o.version is not null order by f.created_at, f.id`,
      values: [idsOf(projects)],
    },
    async ([row]) => {
      const file = JSON.parse(String(row)) as Listed;
      // What is gone from the store takes nothing else with it; the import tells of it.
      const read = await (readFile(file.version, file.encoding) as Promise<ReadFile | null>).catch(() => null);
      if (read === null) return;
      const name = `${fileName(file.name) || 'file'}${read.ending}`;
      await zip.add(`files/${file.id}/${name}`, read.bytes, new Date(file.at), true);
    },
    reading(signal),
  );
  await zip.end();
}

export async function writeZips(options: ExportOptions): Promise<void> {
  const { projects, out, onProgress } = options;
  const zip = openZipWriter(out);
  const taken = new Set<string>();
  for (const [at, project] of projects.entries())
    await zip.write(
      freeName(taken, `${project.key}.zip`),
      new Date(),
      (entry) =>
        writeZip({
          ...options,
          projects: [project],
          out: entry,
          onProgress: (done, total) =>
            onProgress(Math.round(1000 * (at + done / Math.max(1, total))), 1000 * projects.length),
        }),
      true,
    );
  await zip.end();
}
