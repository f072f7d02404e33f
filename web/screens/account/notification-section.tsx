// Notification settings of the account: for all projects, or for one; and the hours of one's day.

import { useState } from 'react';
import {
  type Choice,
  chooseNotifications,
  type MailChoice,
  scheduleNotifications,
  useAct,
  watchProject,
} from '../../commands.ts';
import {
  choiceIn,
  memberProjects,
  scheduleOf,
  useNotificationKinds,
  useQuery,
  useScope,
  useUserId,
  watchesProject,
} from '../../queries.ts';
import { useApp } from '../../session/react.tsx';
import { isMessage, localized, t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { Button } from '../../ui/button.tsx';
import { SelectField } from '../../ui/fields/field.tsx';
import { Loading, Notice, Skeleton } from '../../ui/list-states.tsx';
import { Section } from '../../ui/section.tsx';
import styles from './notification-section.module.css';
import { PushSwitch, usePushKey } from './push-switch.tsx';

const mailChoices: readonly MailChoice[] = ['now', 'daily', 'off'];
const hours = Array.from({ length: 24 }, (_, hour) => hour);
const clock = localized((locale) => new Intl.DateTimeFormat(locale, { hour: 'numeric', minute: '2-digit' }));
const here = Intl.DateTimeFormat().resolvedOptions().timeZone;

export function NotificationSection() {
  const userId = useUserId();
  const act = useAct();
  const { settings } = useApp();
  const state = useScope({ kind: 'hearing', userId });
  const kinds = useNotificationKinds();
  const projects = useQuery(memberProjects, userId);
  const pushKey = usePushKey();
  const [projectId, setProjectId] = useState('');
  const watched = useQuery(watchesProject, projectId, userId);
  const ready = kinds.data !== null && state.phase !== 'empty' && state.phase !== 'failed';
  return (
    <Section title={t('common.news')} hint={t('notificationSettings.hint')}>
      {!settings.mail && <Notice>{t('notificationSettings.noMail')}</Notice>}
      {(kinds.failed || state.phase === 'failed') && (
        <Notice tone="warn">
          {t('notificationSettings.failed')} <Button onClick={kinds.again}>{t('common.retry')}</Button>
        </Notice>
      )}
      {pushKey !== null && <PushSwitch pushKey={pushKey} />}
      {projects.length > 0 && (
        <SelectField
          label={t('property.project')}
          value={projectId}
          choices={[
            { value: '', label: t('common.nav.allProjects') },
            ...projects.map((project) => ({ value: project.id, label: project.name })),
          ]}
          onPick={setProjectId}
        />
      )}
      {projectId !== '' && ready && (
        <label className={shapes.rowS3}>
          <input
            type="checkbox"
            checked={watched}
            onChange={() => void act(watchProject, projectId, userId, !watched)}
          />
          {t('notificationSettings.watchAll')}
        </label>
      )}
      {!ready && !kinds.failed && state.phase !== 'failed' && (
        <Loading label={t('common.loading')}>
          <Skeleton width="60%" />
        </Loading>
      )}
      {ready && (
        <table className={`${shapes.full} ${styles.kinds}`}>
          <thead>
            <tr>
              <th scope="col">{t('notificationSettings.kind')}</th>
              <th scope="col">{t('common.nav.inbox')}</th>
              {settings.mail && <th scope="col">{t('signIn.email')}</th>}
              {pushKey !== null && <th scope="col">{t('notificationSettings.push')}</th>}
            </tr>
          </thead>
          <tbody>
            {kinds.data?.map((one) => (
              <KindRow
                key={one.kind}
                projectId={projectId}
                fallback={one}
                withMail={settings.mail}
                withPush={pushKey !== null}
              />
            ))}
          </tbody>
        </table>
      )}
      {ready && <Schedule withMail={settings.mail} />}
    </Section>
  );
}

interface KindRowProps {
  readonly projectId: string;
  readonly fallback: Choice & { readonly kind: string };
  readonly withMail: boolean;
  readonly withPush: boolean;
}

function KindRow({ projectId, fallback, withMail, withPush }: KindRowProps) {
  const userId = useUserId();
  const act = useAct();
  const { kind } = fallback;
  const chosen = useQuery(choiceIn, projectId, kind);
  const choice = (chosen ?? fallback) as Choice;
  const words = `notificationSettings.kinds.${kind}` as const;
  const name = isMessage(words) ? t(words as 'notificationSettings.kinds.assigned') : kind;
  const choose = (patch: Partial<Choice>): void => {
    const { inbox, mail, push } = { ...choice, ...patch };
    void act(chooseNotifications, userId, projectId || null, kind, { inbox, mail, push });
  };
  return (
    <tr>
      <th scope="row">{name}</th>
      <td>
        <input
          type="checkbox"
          checked={choice.inbox}
          aria-label={t('notificationSettings.inboxOf', { kind: name })}
          onChange={() => choose({ inbox: !choice.inbox })}
        />
      </td>
      {withMail && (
        <td>
          <SelectField
            bare
            label={t('notificationSettings.emailOf', { kind: name })}
            value={choice.mail}
            choices={mailChoices.map((value) => ({ value, label: t(`notificationSettings.emailChoices.${value}`) }))}
            onPick={(mail) => choose({ mail })}
          />
        </td>
      )}
      {withPush && (
        <td>
          <input
            type="checkbox"
            checked={choice.push}
            aria-label={t('notificationSettings.pushOf', { kind: name })}
            onChange={() => choose({ push: !choice.push })}
          />
        </td>
      )}
    </tr>
  );
}

function Schedule({ withMail }: { withMail: boolean }) {
  const userId = useUserId();
  const act = useAct();
  const { time_zone, daily_hour } = useQuery(scheduleOf, userId);
  const zones = [...new Set([time_zone, here, 'UTC', ...Intl.supportedValuesOf('timeZone')])];
  return (
    <>
      <SelectField
        label={t('notificationSettings.zone')}
        hint={t(withMail ? 'notificationSettings.zoneHint' : 'notificationSettings.zoneHintNoMail')}
        value={time_zone}
        choices={zones.map((zone) => ({ value: zone, label: zone.replaceAll('_', ' ') }))}
        onPick={(zone) => void act(scheduleNotifications, userId, { time_zone: zone })}
      />
      {time_zone !== here && (
        <div>
          <Button onClick={() => void act(scheduleNotifications, userId, { time_zone: here })}>
            {t('notificationSettings.zoneHere', { zone: here.replaceAll('_', ' ') })}
          </Button>
        </div>
      )}
      {withMail && (
        <SelectField
          label={t('notificationSettings.hour')}
          value={String(daily_hour)}
          choices={hours.map((hour) => ({ value: String(hour), label: clock().format(new Date(2026, 0, 1, hour)) }))}
          onPick={(hour) => void act(scheduleNotifications, userId, { daily_hour: Number(hour) })}
        />
      )}
    </>
  );
}
