// The picture of a person or a project: into its folder of the public bucket, under a name of its own, so that no browser shows an older
// one. The one before stays for an undo; those before that go.

import { useCallback } from 'react';
import { newId, sayRefusal } from '../commands.ts';
import { t } from '../strings/messages.ts';
import type { Door } from '../sync/door.ts';
import { useSync } from '../sync/react.tsx';
import { askFiles, askFilesInJson } from './file-door.ts';

const publicPath = '/storage/v1/object/public/avatars/';

async function removeOthers(door: Door, folder: string, kept: readonly (string | undefined)[]): Promise<void> {
  const there = await askFilesInJson<readonly { readonly name: string }[]>(door, 'POST', 'object/list/avatars', {
    prefix: folder,
  });
  const prefixes = there.filter(({ name }) => !kept.includes(name)).map(({ name }) => `${folder}/${name}`);
  if (prefixes.length > 0) await askFilesInJson(door, 'DELETE', 'object/avatars', { prefixes });
}

/** Gives back the path on this site where the picture is from now on; rejects with words. */
export function useSavePicture(): (folder: string, picture: Blob, current: string | null) => Promise<string> {
  const { door } = useSync();
  return useCallback(
    async (folder, picture, current) => {
      const name = `${newId()}.${picture.type === 'image/webp' ? 'webp' : 'png'}`;
      const form = new FormData();
      form.append('cacheControl', '31536000');
      form.append('', picture);
      await askFiles(door, `object/avatars/${folder}/${name}`, { method: 'POST', body: form }).catch(
        (error: unknown) => {
          throw new Error(t('common.picture.failed', { reason: sayRefusal(error) }));
        },
      );
      // What stays by mistake is found by the next one.
      await removeOthers(door, folder, [name, current?.split('/').at(-1)]).catch(() => undefined);
      return `${publicPath}${folder}/${name}`;
    },
    [door],
  );
}
