// Name and picture, as others see them.

import type { FormEvent } from 'react';
import { useState } from 'react';
import { editProfile, useAct } from '../../commands.ts';
import { profileOf, useQuery } from '../../queries.ts';
import { useHouse } from '../../session/react.tsx';
import { words } from '../../strings/words.ts';
import { useSync } from '../../sync/react.tsx';
import { Avatar } from '../../ui/avatar.tsx';
import { Button } from '../../ui/button.tsx';
import { useDraft } from '../../ui/draft.ts';
import { TextField } from '../../ui/field.tsx';
import { Section } from '../../ui/section.tsx';

const say = words.account;

export function ProfileSection() {
  const { userId } = useSync();
  const { holder } = useHouse();
  const act = useAct();
  const profile = useQuery(profileOf, userId);
  const name = useDraft(profile?.display_name ?? '');
  const picture = useDraft(profile?.avatar_url ?? '');
  const [faults, setFaults] = useState<{ name?: string; picture?: string }>({});
  const dirty = name.dirty || picture.dirty;

  function submit(event: FormEvent): void {
    event.preventDefault();
    const found = {
      ...(name.text.trim() === '' ? { name: say.nameMissing } : {}),
      ...(picture.text.trim() !== '' && !isPicture(picture.text.trim()) ? { picture: say.avatarWrong } : {}),
    };
    setFaults(found);
    if (Object.keys(found).length > 0) return;
    void act(editProfile, userId, {
      display_name: name.text.trim(),
      avatar_url: picture.text.trim() === '' ? null : picture.text.trim(),
    }).then((kept) => {
      if (kept) void holder.reloadProfile();
    });
    name.settle();
    picture.settle();
  }

  return (
    <Section title={say.profile} hint={say.profileHint}>
      <form className="form" onSubmit={submit} noValidate>
        <div className="account-me">
          <Avatar
            name={name.text || words.common.you}
            url={isPicture(picture.text.trim()) ? picture.text.trim() : null}
            seed={userId}
            size={48}
          />
          <div className="account-name">
            <TextField
              label={say.name}
              autoComplete="name"
              maxLength={100}
              value={name.text}
              error={faults.name ?? null}
              onChange={(event) => name.set(event.target.value)}
            />
          </div>
        </div>
        <TextField
          type="url"
          label={say.avatar}
          hint={say.avatarHint}
          placeholder={say.avatarPlaceholder}
          autoComplete="off"
          maxLength={2000}
          value={picture.text}
          error={faults.picture ?? null}
          onChange={(event) => picture.set(event.target.value)}
        />
        <div className="account-actions">
          <Button look="main" type="submit" disabled={!dirty}>
            {say.saveProfile}
          </Button>
        </div>
      </form>
    </Section>
  );
}

function isPicture(address: string): boolean {
  return /^https:\/\/[^\s/]+\.[^\s/]+/.test(address);
}
