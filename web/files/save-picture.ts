// The picture of a person or a project: into its folder of the public bucket, under a name of its own, so that no browser shows an older
// one. The one before stays for an undo; those before that go.

import { useCallback } from 'react';
import { newId, sayRefusal } from '../commands.ts';
import { t } from '../strings/messages.ts';
import { useSync } from '../sync/react.tsx';

const publicPath = '/storage/v1/object/public/avatars/';

/** Gives back the path on this site where the picture is from now on; rejects with words. */
export function useSavePicture(): (folder: string, picture: Blob, current: string | null) => Promise<string> {
  const { door } = useSync();
  return useCallback(
    async (folder, picture, current) => {
      const bucket = door.storage.from('avatars');
      const name = `${newId()}.${picture.type === 'image/webp' ? 'webp' : 'png'}`;
      const { error } = await bucket.upload(`${folder}/${name}`, picture, {
        contentType: picture.type,
        cacheControl: '31536000',
      });
      if (error) throw new Error(t('common.picture.failed', { reason: sayRefusal(error) }));
      const { data: there } = await bucket.list(folder);
      const kept = [name, current?.split('/').at(-1)];
      const old = (there ?? []).filter((one) => !kept.includes(one.name)).map((one) => `${folder}/${one.name}`);
      // What stays by mistake is found by the next one.
      if (old.length > 0) await bucket.remove(old);
      return `${publicPath}${folder}/${name}`;
    },
    [door],
  );
}
