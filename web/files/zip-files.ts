// Several attachments as one zip, packed here as they arrive: each is asked for under its reader's own policies.

import type { AttachmentRow } from '../queries.ts';

type Packed = Pick<AttachmentRow, 'name' | 'object_path' | 'created_at'>;

export async function zipFiles(
  attachments: readonly Packed[],
  fetchFile: (path: string) => Promise<Response>,
): Promise<Blob> {
  const { downloadZip } = await import('client-zip');
  const names = distinctNames(attachments.map(({ name }) => name));
  async function* entries() {
    for (const [at, { object_path, created_at }] of attachments.entries())
      yield { name: names[at] ?? '', input: await fetchFile(object_path), lastModified: new Date(created_at) };
  }
  return downloadZip(entries()).blob();
}

/** "plan.pdf" and "plan (2).pdf": in a zip, and on a disk, no two have the same name, letter case aside. */
export function distinctNames(names: readonly string[]): string[] {
  const taken = new Set<string>();
  return names.map((given) => {
    // A name is a name, not a way to somewhere else.
    const name = given.replaceAll(/[\\/]/g, '_').replace(/^\.+$/, '_');
    const [, stem = name, ending = ''] = /^(.+?)(\.[^.]*)?$/s.exec(name) ?? [];
    let free = name;
    for (let n = 2; taken.has(free.toLowerCase()); n++) free = `${stem} (${n})${ending}`;
    taken.add(free.toLowerCase());
    return free;
  });
}
