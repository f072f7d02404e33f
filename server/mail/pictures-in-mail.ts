// Embeds pictures of quoted text in an email: fetched through the files API as the recipient, so that policies decide, resized, and attached, so that
// nothing is loaded from elsewhere when the email is read. An unavailable picture is replaced by its name.

import type { Services } from '../services.ts';
import { type MailData, readMailData } from './mail-content.ts';

export interface MailPicture {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly bytes: Buffer;
  readonly width: number;
}

/** By the id of the attachment. */
export type MailPictures = ReadonlyMap<string, MailPicture>;

/** As wide as a mail shows them, twice over; then once. */
const widths = [912, 456];
const highest = 2400;
const mostPictures = 8;
const mostBytes = 1_500_000;
const mostBytesOfAll = 5_000_000;
/** Long enough to ask, and of no use to anybody after. */
const tokenSeconds = 60;

export async function loadPictures(services: Services, data: Readonly<Record<string, unknown>>): Promise<MailPictures> {
  const found = new Map<string, MailPicture>();
  const mail = readMailData(data);
  const named = namedBy(mail);
  const userId = mail.text('user_id');
  if (named.length === 0 || userId === '') return found;
  const { sessions, log } = services;
  const token = await sessions.sign({ sub: userId, role: 'authenticated' }, tokenSeconds);
  let room = mostBytesOfAll;
  for (const { id, name, path } of named) {
    for (const width of widths) {
      try {
        const picture = await askFor(services, token, path, width);
        if (picture === null || picture.bytes.length > Math.min(room, mostBytes)) continue;
        found.set(id, { id, name, ...picture });
        room -= picture.bytes.length;
      } catch (error) {
        log.debug({ err: error, attachment: id }, 'a picture was left out of a mail');
      }
      break;
    }
  }
  return found;
}

function namedBy(mail: MailData): { readonly id: string; readonly name: string; readonly path: string }[] {
  const all = mail.objects('parts').flatMap((part) => part.objects('pictures'));
  const byId = new Map(
    all.map((one) => [one.text('id'), { id: one.text('id'), name: one.text('name'), path: one.text('path') }]),
  );
  return [...byId.values()].slice(0, mostPictures);
}

/** Null when the answer is no picture. */
async function askFor(
  { fetch, siteUrl, sessions }: Services,
  token: string,
  path: string,
  width: number,
): Promise<Omit<MailPicture, 'id' | 'name'> | null> {
  const key = path.split('/').map(encodeURIComponent).join('/');
  const response = await fetch(
    `${siteUrl}/storage/v1/render/image/authenticated/attachments/${key}?width=${width}&height=${highest}&resize=contain&format=origin`,
    { headers: { apikey: sessions.anonKey, authorization: `Bearer ${token}` } },
  );
  if (!response.ok) return null;
  const bytes = Buffer.from(await response.arrayBuffer());
  const { default: sharp } = await import('sharp');
  const image = sharp(bytes);
  const { format, width: drawn = width, hasAlpha } = await image.metadata();
  const shown = { width: Math.min(drawn, widths[1] ?? drawn) };
  if (format === 'png' || format === 'jpeg' || format === 'gif') return { ...shown, type: `image/${format}`, bytes };
  // Many mail programs show no other format.
  return hasAlpha === true
    ? { ...shown, type: 'image/png', bytes: await image.png().toBuffer() }
    : { ...shown, type: 'image/jpeg', bytes: await image.jpeg({ quality: 80 }).toBuffer() };
}
