// Join link of a project: created, copied, reset or turned off by owners.

import { Copy } from 'lucide-react';
import { useState } from 'react';
import { copyJoinLink, createJoinLink, revokeJoinLink, sayRefusal, useAsk } from '../../commands.ts';
import { localDay, sayDay } from '../../queries/days/days.ts';
import { type JoinLinkRow, joinLinkOf, type Role, useQuery } from '../../queries.ts';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { Button } from '../../ui/button.tsx';
import { SelectField } from '../../ui/fields/field.tsx';
import lines from '../../ui/lines.module.css';
import { Notice } from '../../ui/list-states.tsx';
import { showCopied, showMessage } from '../../ui/overlays/toaster.tsx';
import { copyText } from '../../ui/text/copy-text.ts';
import { LinkField } from './link-field.tsx';
import styles from './people.module.css';
import { roleChoices } from './role-choices.ts';

const day = 86_400_000;
const lives = ['1', '7', '30', 'never'] as const;
type Life = (typeof lives)[number];

const daysOf = (life: Life): number | null => (life === 'never' ? null : Number(life));

function daysOfLink(link: JoinLinkRow): number | null {
  if (link.expires_at === null) return null;
  return Math.round((Date.parse(link.expires_at) - Date.parse(link.created_at)) / day);
}

export function JoinLink({ projectId, inDialog = false }: { projectId: string; inDialog?: boolean }) {
  const ask = useAsk();
  const link = useQuery(joinLinkOf, projectId);
  const [shown, setShown] = useState<{ readonly id: string; readonly address: string } | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const expired = link?.expires_at != null && Date.parse(link.expires_at) < Date.now();
  const address = shown !== null && shown.id === link?.id ? shown.address : null;

  async function run(work: () => Promise<void>): Promise<void> {
    setBusy(true);
    setFault(null);
    try {
      await work();
    } catch (reason) {
      setFault(sayRefusal(reason));
    } finally {
      setBusy(false);
    }
  }

  const create = (role: Role, days: number | null, done?: string) =>
    run(async () => {
      setShown(await ask(createJoinLink, projectId, role, days));
      if (done !== undefined) showMessage(done);
    });

  const copy = (id: string) =>
    run(async () => {
      const copied = await ask(copyJoinLink, id);
      setShown({ id, address: copied });
      showCopied(await copyText(copied));
    });

  const revoke = (id: string) =>
    run(async () => {
      await ask(revokeJoinLink, projectId, id);
      showMessage(t('people.link.wasRevoked'));
    });

  const Title = inDialog ? 'h3' : 'h2';
  return (
    <section className={`${inDialog ? '' : shapes.part} ${shapes.stackS4}`} aria-label={t('people.link.title')}>
      <Title>{t('people.link.title')}</Title>
      {link === null || expired ? (
        <NewLink expired={link} busy={busy} onCreate={(role, life) => void create(role, daysOf(life))} />
      ) : (
        <>
          <p className={lines.words}>
            {t('people.link.as', { role: t(`common.roles.${link.role}`) })}{' '}
            <span className={`${shapes.quietS} ${lines.facts}`}>
              <span>
                {link.expires_at === null
                  ? t('people.link.forever')
                  : t('people.link.until', { date: sayDay(localDay(new Date(link.expires_at))) })}
              </span>
              <span>{t('people.link.joined', { n: link.joined_count })}</span>
            </span>
          </p>
          {address !== null && (
            <LinkField link={address} label={t('people.link.title')} copyLabel={t('common.copyLink')} />
          )}
          <div className={shapes.wrapS3}>
            {address === null && (
              <Button icon={<Copy size={15} />} disabled={busy} onClick={() => void copy(link.id)}>
                {t('common.copyLink')}
              </Button>
            )}
            <Button disabled={busy} onClick={() => void create(link.role, daysOfLink(link), t('people.link.wasReset'))}>
              {t('people.link.reset')}
            </Button>
            <Button disabled={busy} onClick={() => void revoke(link.id)}>
              {t('people.link.revoke')}
            </Button>
          </div>
        </>
      )}
      {fault !== null && <Notice tone="danger">{fault}</Notice>}
    </section>
  );
}

interface NewLinkProps {
  /** The link before. */
  readonly expired: JoinLinkRow | null;
  readonly busy: boolean;
  readonly onCreate: (role: Role, life: Life) => void;
}

function NewLink({ expired, busy, onCreate }: NewLinkProps) {
  const [role, setRole] = useState<Role>('editor');
  const [life, setLife] = useState<Life>('7');
  return (
    <>
      <p className={shapes.quietS}>{expired === null ? t('people.link.none') : t('people.link.expired')}</p>
      <div className={`${shapes.stackS3} ${shapes.stackS3} ${styles.newLink}`}>
        <SelectField
          label={t('people.link.role')}
          value={role}
          choices={roleChoices().filter(({ value }) => value !== 'owner')}
          onPick={setRole}
        />
        <SelectField
          label={t('people.link.life')}
          value={life}
          choices={lives.map((value) => ({
            value,
            label: value === 'never' ? t('people.link.never') : t('people.link.days', { n: Number(value) }),
          }))}
          onPick={setLife}
        />
        <Button busy={busy} onClick={() => onCreate(role, life)}>
          {t('people.link.create')}
        </Button>
      </div>
    </>
  );
}
