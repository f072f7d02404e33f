// Export of the own data as one zip: `data.json`, and beside it every file it names. Links in texts point at the files in the zip, so that it reads
// without this service. Missing files are listed.

import type { MyData } from '../commands.ts';
import { Refusal } from '../sync/door.ts';
import { distinctNames } from './zip-files.ts';

/** Where pictures of people are, on this site. */
const pictures = '/storage/v1/object/public/';

type Fetch = (path: string) => Promise<Response>;

interface Entry {
  readonly name: string;
  readonly input: Response | string;
  readonly lastModified?: Date;
}

export async function packData(held: MyData, fetchAttachment: Fetch): Promise<Blob> {
  const { downloadZip } = await import('client-zip');
  return downloadZip(entriesOf(held, fetchAttachment)).blob();
}

export async function* entriesOf(held: MyData, fetchAttachment: Fetch, fetchPicture: Fetch = onSite) {
  const places = placesOf(held);
  const packed = new Map<string, string>();
  for (const { id, object_path, created_at } of held.attachments) {
    const name = places.get(id) ?? '';
    const input = await ifThere(() => fetchAttachment(object_path));
    if (input === null) continue;
    packed.set(id, name);
    yield { name, input, lastModified: new Date(created_at) } satisfies Entry;
  }
  const own = held.profile?.avatar_url ?? '';
  const ending = /\.\w+$/.exec(own)?.[0] ?? '';
  const picture = own.startsWith(pictures) ? await ifThere(() => fetchPicture(own)) : null;
  if (picture !== null) yield { name: `picture${ending}`, input: picture } satisfies Entry;
  const data = {
    ...held,
    ...(held.profile ? { profile: { ...held.profile, file: picture && `picture${ending}` } } : {}),
    tasks: held.tasks.map((task) => ({ ...task, description: withPlaces(task.description, packed) })),
    comments: held.comments.map((comment) => ({ ...comment, body: withPlaces(comment.body, packed) })),
    attachments: held.attachments.map((one) => ({ ...one, file: packed.get(one.id) ?? null })),
  };
  yield { name: 'data.json', input: JSON.stringify(data, null, 2) } satisfies Entry;
}

/** "files/WEB-12/plan.pdf": where each goes, no two to the same place. */
function placesOf({ attachments }: MyData): Map<string, string> {
  const byTask = new Map<string, MyData['attachments'][number][]>();
  for (const one of attachments) byTask.set(one.task_key, [...(byTask.get(one.task_key) ?? []), one]);
  const places = new Map<string, string>();
  for (const [key, files] of byTask) {
    const names = distinctNames(files.map(({ name }) => name));
    for (const [at, { id }] of files.entries()) places.set(id, `files/${key}/${names[at]}`);
  }
  return places;
}

function withPlaces(text: string, places: ReadonlyMap<string, string>): string {
  return text.replaceAll(/attachment:([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})/gi, (whole, id: string) => {
    const place = places.get(id.toLowerCase());
    // Round brackets would end the address in Markdown.
    const part = (name: string): string =>
      encodeURIComponent(name).replaceAll(/[()]/g, (sign) => (sign === '(' ? '%28' : '%29'));
    return place === undefined ? whole : place.split('/').map(part).join('/');
  });
}

/** Null when it is gone, or not ours to see any more; whatever else is in the way ends the whole. */
async function ifThere(ask: () => Promise<Response>): Promise<Response | null> {
  try {
    return await ask();
  } catch (reason) {
    if (reason instanceof Refusal && [400, 403, 404].includes(reason.status)) return null;
    throw reason;
  }
}

async function onSite(path: string): Promise<Response> {
  const response = await fetch(path);
  if (!response.ok) throw new Refusal('', '', response.status);
  return response;
}
