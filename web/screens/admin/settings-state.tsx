// Settings in force: those that were set, or all. Secrets show only that they are set.

import { useState } from 'react';
import type { AdminSetting } from '../../queries/admin/admin-state.ts';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { Button } from '../../ui/button.tsx';
import styles from './admin.module.css';
import { sayMeaning, sayValue } from './say-setting.ts';

export function SettingsState({ settings }: { settings: readonly AdminSetting[] }) {
  const [all, setAll] = useState(false);
  const shown = all ? settings : settings.filter(({ source }) => source !== 'default');
  return (
    <>
      <ul aria-label={t('admin.server.settings')}>
        {shown.map((setting) => (
          <li key={setting.name} className={`${shapes.rowS4} ${styles.entry}`}>
            <span className={`${shapes.breaks} ${shapes.fill}`}>
              <span className={`${shapes.block} ${shapes.medium}`}>
                <code>{setting.name}</code>{' '}
                <span className={`${shapes.softS} ${shapes.block}`}>
                  {t('admin.server.from', { source: sourceOf(setting) })}
                </span>
              </span>
              <span>{sayValue(setting) || '—'}</span>
              <span className={`${shapes.softS} ${shapes.block}`}>{sayMeaning(setting)}</span>
            </span>
          </li>
        ))}
      </ul>
      <div className={shapes.flowS3}>
        <Button onClick={() => setAll((old) => !old)}>
          {all ? t('admin.server.setOnly') : t('admin.server.allSettings', { n: settings.length })}
        </Button>
      </div>
    </>
  );
}

function sourceOf({ source }: AdminSetting): string {
  return source === '.env' ? 'file' : source === 'admin page' ? 'admin' : source;
}
