// Name and picture, as others see them.

import type { FormEvent } from 'react';
import { useState } from 'react';
import { editProfile, useAct } from '../../commands.ts';
import { PictureField } from '../../pieces/picture-field.tsx';
import { profileOf, useQuery, useUserId } from '../../queries.ts';
import { useApp } from '../../session/react.tsx';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { Avatar } from '../../ui/avatar.tsx';
import { Button } from '../../ui/button.tsx';
import { useDraft } from '../../ui/fields/draft.ts';
import { CheckField, TextField } from '../../ui/fields/field.tsx';
import { limitTo } from '../../ui/fields/limit-to.ts';
import { Section } from '../../ui/section.tsx';

export function ProfileSection() {
  const userId = useUserId();
  const { holder } = useApp();
  const act = useAct();
  const profile = useQuery(profileOf, userId);
  const name = useDraft(profile?.display_name ?? '');
  const [missing, setMissing] = useState(false);

  function submit(event: FormEvent): void {
    event.preventDefault();
    const display_name = name.text.trim();
    setMissing(display_name === '');
    if (display_name === '') return;
    void act(editProfile, userId, { display_name }).then((accepted) => {
      if (accepted) void holder.reloadProfile();
    });
    name.settle();
  }

  function changePicture(avatar_url: string | null): void {
    void act(editProfile, userId, { avatar_url }).then((accepted) => {
      if (accepted) void holder.reloadProfile();
    });
  }

  return (
    <Section title={t('account.profile')} hint={t('account.profileHint')}>
      <PictureField
        folder={userId}
        current={profile?.avatar_url ?? null}
        shape="round"
        hint={t('account.avatarHint')}
        onChange={changePicture}
      >
        <Avatar name={name.text || t('common.you')} url={profile?.avatar_url ?? null} seed={userId} size={48} />
      </PictureField>
      <form className={shapes.stackS5} onSubmit={submit} noValidate>
        <TextField
          label={t('account.name')}
          autoComplete="name"
          {...limitTo(100)}
          value={name.text}
          error={missing ? t('account.nameMissing') : null}
          onChange={(event) => name.set(event.target.value)}
        />
        <div className={shapes.wrapS3}>
          <Button look="main" type="submit" disabled={!name.dirty}>
            {t('account.saveProfile')}
          </Button>
        </div>
      </form>
    </Section>
  );
}

/** Whether others see where one is. */
export function PresenceSection() {
  const userId = useUserId();
  const act = useAct();
  const profile = useQuery(profileOf, userId);
  return (
    <Section title={t('account.presence')}>
      <CheckField
        label={t('account.showsPresence')}
        hint={t('account.showsPresenceHint')}
        checked={profile?.shows_presence !== false}
        disabled={profile === undefined}
        onChange={(event) => void act(editProfile, userId, { shows_presence: event.target.checked })}
      />
    </Section>
  );
}
