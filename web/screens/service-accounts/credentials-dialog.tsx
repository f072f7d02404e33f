// Keys and OAuth clients that act for a service account: listed, created, revoked; a new token or secret is shown once.

import { AppWindow } from 'lucide-react';
import { useState } from 'react';
import {
  type ClientSecret,
  createServiceClient,
  createServiceKey,
  deleteServiceClient,
  listServiceClients,
  rotateServiceClient,
  type ServiceAccount,
  type ServiceClient,
  type ServiceKey,
} from '../../commands/service-account-requests.ts';
import { type Ask, revokeKey } from '../../commands.ts';
import { sayAgo } from '../../queries/days/days.ts';
import { membershipsOf } from '../../queries/people/memberships.ts';
import { useQuery } from '../../queries.ts';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { Button } from '../../ui/button.tsx';
import { FactRow } from '../../ui/fact-row.tsx';
import { Notice } from '../../ui/list-states.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { EndQuestion } from '../people/end-question.tsx';
import { LabelledLink, LinkField } from '../people/link-field.tsx';
import { sayReach } from '../people/say-key.ts';
import { useFetchedList } from '../people/use-fetched-list.ts';
import { isOf, KeyLine } from './key-line.tsx';
import { NewKeyForm } from './new-key-form.tsx';

interface CredentialsDialogProps {
  readonly account: ServiceAccount;
  readonly keys: readonly ServiceKey[];
  readonly onChange: () => Promise<unknown>;
  readonly onClose: () => void;
}

/** What was just created, or nothing. */
type Created =
  | { readonly what: 'key'; readonly token: string }
  | ({ readonly what: 'client' } & ClientSecret)
  | { readonly what: 'nothing' };

const nothing: Created = { what: 'nothing' };

export function CredentialsDialog({ account, keys, onChange, onClose }: CredentialsDialogProps) {
  const projects = useQuery(membershipsOf, account.id);
  const { list: clients, fault, busy, run } = useFetchedList(listServiceClients, account.id);
  const [making, setMaking] = useState<'key' | 'client' | null>(null);
  const [created, setCreated] = useState<Created>(nothing);

  /** Both lists are read again afterwards. */
  const show = (work: (ask: Ask) => Promise<Created>): Promise<boolean> =>
    run(async (ask) => {
      setCreated(await work(ask));
      setMaking(null);
      await onChange();
    });
  const all = t('serviceAccounts.allProjects');

  return (
    <Dialog open onClose={onClose} title={t('serviceAccounts.credentialsOf', { name: account.name })}>
      <div className={shapes.stackS5}>
        <CreatedOnce created={created} />
        {fault !== null && <Notice tone="danger">{fault}</Notice>}
        <section className={shapes.stackS4} aria-label={t('serviceAccounts.keyList')}>
          <h3>{t('serviceAccounts.keyList')}</h3>
          {keys.length === 0 && <p className={shapes.quiet}>{t('serviceAccounts.noKeys')}</p>}
          {keys.length > 0 && (
            <ul className={shapes.stackS5}>
              {keys.map((key) => (
                <KeyLine
                  key={key.id}
                  apiKey={key}
                  reach={sayReach(key, projects, all)}
                  busy={busy}
                  onRevoke={() => void show((ask) => ask(revokeKey, key.id).then(() => without(created, key)))}
                />
              ))}
            </ul>
          )}
          {making === 'key' ? (
            <NewKeyForm
              all={all}
              projects={projects}
              busy={busy}
              onMake={(key) =>
                show(async (ask) => ({ what: 'key', token: await ask(createServiceKey, account.id, key) }))
              }
            />
          ) : (
            <div>
              <Button onClick={() => setMaking('key')}>{t('keys.new')}</Button>
            </div>
          )}
        </section>
        <section className={shapes.stackS4} aria-label={t('serviceAccounts.clientList')}>
          <h3>{t('serviceAccounts.clientList')}</h3>
          <p className={shapes.quietS}>{t('serviceAccounts.clientHint')}</p>
          {clients !== null && clients.length > 0 && (
            <ul className={shapes.stackS5}>
              {clients.map((client) => (
                <ClientLine
                  key={client.client_id}
                  client={client}
                  reach={sayReach(client, projects, all)}
                  busy={busy}
                  onRotate={() =>
                    void show(async (ask) => ({
                      what: 'client',
                      ...(await ask(rotateServiceClient, client.client_id)),
                    }))
                  }
                  onDelete={() =>
                    void show((ask) => ask(deleteServiceClient, client.client_id).then(() => without(created, client)))
                  }
                />
              ))}
            </ul>
          )}
          {making === 'client' ? (
            <NewKeyForm
              what="client"
              all={all}
              projects={projects}
              busy={busy}
              onMake={(made) =>
                show(async (ask) => ({ what: 'client', ...(await ask(createServiceClient, account.id, made)) }))
              }
            />
          ) : (
            <div>
              <Button onClick={() => setMaking('client')}>{t('serviceAccounts.newClient')}</Button>
            </div>
          )}
        </section>
      </div>
    </Dialog>
  );
}

/** Nothing, where it belongs to the ended key or client. */
function without(created: Created, ended: ServiceKey | ServiceClient): Created {
  const isEnded =
    'client_id' in ended
      ? created.what === 'client' && created.client_id === ended.client_id
      : created.what === 'key' && isOf(created.token, ended);
  return isEnded ? nothing : created;
}

function CreatedOnce({ created }: { created: Created }) {
  if (created.what === 'nothing') return null;
  return (
    <div className={shapes.stackS3}>
      <Notice tone="good">{created.what === 'key' ? t('keys.token') : t('serviceAccounts.secretMade')}</Notice>
      {created.what === 'key' ? (
        <LinkField link={created.token} label={t('keys.token')} copyLabel={t('keys.copy')} />
      ) : (
        <>
          <LabelledLink
            label={t('serviceAccounts.clientId')}
            link={created.client_id}
            copyLabel={t('serviceAccounts.copyId')}
          />
          <LabelledLink
            label={t('serviceAccounts.secret')}
            link={created.client_secret}
            copyLabel={t('serviceAccounts.copySecret')}
          />
        </>
      )}
      <p className={shapes.quietS}>{t('keys.once')}</p>
    </div>
  );
}

interface ClientLineProps {
  readonly client: ServiceClient;
  readonly reach: string;
  readonly busy: boolean;
  readonly onRotate: () => void;
  readonly onDelete: () => void;
}

function ClientLine({ client, reach, busy, onRotate, onDelete }: ClientLineProps) {
  const [asking, setAsking] = useState<'rotate' | 'delete' | null>(null);
  const { name, scope, client_id: id, last_used_at: used } = client;
  return (
    <FactRow
      icon={AppWindow}
      name={name}
      facts={[
        [t(`keys.scopes.${scope}`), reach].join(' · '),
        [used === null ? t('keys.unused') : t('keys.used', { when: sayAgo(used) }), id].join(' · '),
      ]}
    >
      <Button disabled={busy} aria-label={t('serviceAccounts.rotateOf', { name })} onClick={() => setAsking('rotate')}>
        {t('serviceAccounts.rotate')}
      </Button>
      <Button disabled={busy} aria-label={t('serviceAccounts.deleteOf', { name })} onClick={() => setAsking('delete')}>
        {t('common.delete')}
      </Button>
      {asking === 'rotate' && (
        <EndQuestion
          title={t('serviceAccounts.rotateOf', { name })}
          words={t('serviceAccounts.rotateWords')}
          action={t('serviceAccounts.rotate')}
          onConfirm={onRotate}
          onClose={() => setAsking(null)}
        />
      )}
      {asking === 'delete' && (
        <EndQuestion
          title={t('serviceAccounts.deleteTitle', { name })}
          words={t('serviceAccounts.clientDeleteWords')}
          action={t('common.delete')}
          onConfirm={onDelete}
          onClose={() => setAsking(null)}
        />
      )}
    </FactRow>
  );
}
