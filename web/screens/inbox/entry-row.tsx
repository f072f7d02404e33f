// One task in the inbox: its notifications, newest first, and their actions.

import { AlarmClock, Bell, Check, Ellipsis, Mail, MailOpen } from 'lucide-react';
import { useRef } from 'react';
import { sayAgo, sayMoment } from '../../queries/days/days.ts';
import { dataOfEntry, type InboxGroup, type NotificationRow, profileOf, useQuery, useReader } from '../../queries.ts';
import { paths } from '../../routes.ts';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { Avatar } from '../../ui/avatar.tsx';
import { Button, IconButton } from '../../ui/button.tsx';
import { RowLink } from '../../ui/lists/row-link.tsx';
import { Menu } from '../../ui/overlays/menu.tsx';
import { usePhone, useTouch } from '../../ui/use-narrow.ts';
import styles from './inbox.module.css';
import { sayEntry } from './say-entry.ts';
import { snoozeTimes } from './snooze-times.ts';

/** So many things that happened stand there, the rest is counted. A phone shows the newest, in one line. */
const few = { phone: 1, desk: 3 };

interface EntryRowProps {
  readonly group: InboxGroup;
  readonly opened: boolean;
  readonly current: boolean;
  readonly selected: boolean;
  /** Raised by the key to put it off: opens that menu. */
  readonly snoozing: number;
  readonly onSelect: (range: boolean) => void;
  readonly onFocus: () => void;
  readonly onDone: () => void;
  readonly onRead: () => void;
  readonly onSnooze: (until: string) => void;
  /** Opens all actions: under fingers one button stands for the three. */
  readonly onActions: (there: HTMLElement) => void;
  /** Joins the project of an invitation. */
  readonly onJoin: (invitationId: string) => void;
}

/** For administrators: about the server, not about a project. */
const isOfServer = (group: InboxGroup): boolean => group.entries.some(({ kind }) => kind === 'backup_failed');

/** Where it leads: to the task beside the inbox, or to the project. */
export function placeOf(group: InboxGroup): string | null {
  const transfer = group.entries.find((entry) => entry.kind === 'transfer');
  const transferred = transfer && dataOfEntry(transfer).project_id;
  if (transferred) return paths.project(transferred, 'people');
  if (isOfServer(group)) return paths.admin;
  if (group.projectId === null) return null;
  if (group.taskId !== null) return paths.inboxTask(group.projectId, group.number ?? group.taskId);
  return group.entries.some((entry) => entry.kind === 'invited') ? null : paths.project(group.projectId);
}

export function EntryRow({ group, opened, current, selected, snoozing, ...on }: EntryRowProps) {
  const place = placeOf(group);
  const title = isOfServer(group) ? t('inbox.ofServer') : group.title;
  const touch = useTouch();
  const most = usePhone() ? few.phone : few.desk;
  const row = useRef<HTMLLIElement>(null);
  const name = [group.key, title].filter(Boolean).join(' ');
  const head = (
    <>
      {group.key && <span className={`${shapes.quiet} ${shapes.rigid} numbers`}>{group.key}</span>}
      <span className={`${shapes.words} ${styles.entryTitle}`}>{title}</span>
    </>
  );
  const invitation = group.entries
    .filter((entry) => entry.kind === 'invited')
    .map((entry) => dataOfEntry(entry).invitation_id)
    .find((id) => id !== undefined);
  const snoozeButton = (
    // Under fingers it is only a place for its menu, which a swipe opens.
    <IconButton label={t('inbox.snooze')} className={touch ? styles.entrySnooze : ''}>
      <AlarmClock size={16} />
    </IconButton>
  );
  return (
    <li
      ref={row}
      className={`${shapes.topS3} ${shapes.swiped} ${shapes.holder} ${shapes.ruledBelow} ${styles.entry}`}
      data-unread={group.unread}
      data-opened={opened}
      data-selected={selected}
      data-entry={group.id}
      onFocus={on.onFocus}
    >
      <span className={`${shapes.row} ${shapes.rigid} ${shapes.holder} ${styles.entryMark}`}>
        {group.unread && <span className={`${shapes.over} ${styles.entryDot}`} title={t('inbox.unread')} />}
        <input
          type="checkbox"
          checked={selected}
          tabIndex={current ? 0 : -1}
          aria-label={t('inbox.select', { what: name })}
          onChange={(event) => on.onSelect((event.nativeEvent as MouseEvent).shiftKey)}
        />
      </span>
      <div className={shapes.fill}>
        {place === null ? (
          <span className={`${shapes.lineS3} ${styles.entryHead}`} tabIndex={current ? 0 : -1} data-way="">
            {head}
          </span>
        ) : (
          <RowLink
            className={`${shapes.lineS3} ${styles.entryHead}`}
            href={place}
            tabIndex={current ? 0 : -1}
            data-way=""
            data-task-id={group.taskId ?? undefined}
            aria-current={opened ? 'true' : undefined}
          >
            {group.unread && <span className="only-spoken">{t('inbox.unread')}</span>}
            {head}
          </RowLink>
        )}
        <ul className={`${shapes.stackS2} ${shapes.oneColumn} ${styles.entryLines}`}>
          {group.entries.slice(0, most).map((entry) => (
            <EntryLine key={entry.id} entry={entry} />
          ))}
        </ul>
        {group.entries.length > most && (
          <p className={`${shapes.quietS} ${styles.entryMore}`}>
            {t('inbox.more', { n: group.entries.length - most })}
          </p>
        )}
        {invitation && (
          <Button className={styles.entryJoin} look="main" onClick={() => on.onJoin(invitation)}>
            {t('inbox.join')}
          </Button>
        )}
      </div>
      <span className={`${shapes.tools} ${styles.entryActions}`}>
        {!touch && (
          <IconButton label={group.unread ? t('inbox.read') : t('inbox.unreadAgain')} onClick={on.onRead}>
            {group.unread ? <MailOpen size={16} /> : <Mail size={16} />}
          </IconButton>
        )}
        <Menu
          key={snoozing}
          startOpen={snoozing > 0}
          label={t('inbox.snooze')}
          trigger={snoozeButton}
          items={snoozeTimes(new Date()).map(({ id, label, until }) => ({
            id,
            label,
            onPick: () => on.onSnooze(until),
          }))}
          onClosed={() => {
            if (touch) row.current?.querySelector<HTMLElement>('[data-way]')?.focus();
            return touch;
          }}
        />
        {touch ? (
          <IconButton label={t('inbox.actions', { what: name })} onClick={(event) => on.onActions(event.currentTarget)}>
            <Ellipsis size={18} />
          </IconButton>
        ) : (
          <IconButton label={t('inbox.done')} onClick={on.onDone}>
            <Check size={16} />
          </IconButton>
        )}
      </span>
    </li>
  );
}

function EntryLine({ entry }: { entry: NotificationRow }) {
  const store = useReader();
  const actor = useQuery(profileOf, entry.actor_id ?? '');
  const { excerpt } = dataOfEntry(entry);
  return (
    <li className={`${shapes.softS} ${shapes.topS3} ${styles.entryLine}`}>
      {actor ? (
        <Avatar name={actor.display_name ?? ''} url={actor.avatar_url} seed={actor.id} size={20} />
      ) : (
        <span className={`${shapes.middle} ${shapes.rigid} ${shapes.quiet} ${styles.lineIcon}`}>
          <Bell size={14} aria-hidden="true" />
        </span>
      )}
      <div className={`${shapes.breaks} ${shapes.fill} ${styles.lineWords}`}>
        {sayEntry(entry, store).map((sentence) => (
          <span key={sentence} className={`${shapes.block} ${shapes.plaintext} ${styles.sentence}`}>
            {sentence}
          </span>
        ))}
        {excerpt && (
          <q className={`${shapes.clamp} ${shapes.quiet} ${shapes.plaintext} ${styles.excerpt}`}>{plain(excerpt)}</q>
        )}
      </div>
      <time
        className={`${shapes.quiet} ${shapes.rigid} numbers`}
        dateTime={entry.created_at}
        title={sayMoment(entry.created_at)}
      >
        {sayAgo(entry.created_at)}
      </time>
    </li>
  );
}

/** Markdown on one line; a mention is the name, an attachment is what it is called. It may have been cut anywhere. */
function plain(markdown: string): string {
  return markdown
    .replaceAll(/@\[([^\]\n]{0,500})\]\([^)\n]{0,500}\)/g, '@$1')
    .replaceAll(/!?\[((?:\\.|[^\]\\]){0,500})\]\(attachment:[\w-]*\)?/g, '$1')
    .replaceAll(/[*_`#>~]+/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
}
