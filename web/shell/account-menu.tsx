// Account menu: account page, theme, keyboard shortcuts, sign-out.

import type { ReactElement } from 'react';
import { offeredActions } from '../actions/registry.tsx';
import { t } from '../strings/messages.ts';
import { Menu } from '../ui/overlays/menu.tsx';

const shown = ['go-account', 'go-groups', 'go-billing', 'go-admin', 'theme', 'shortcuts', 'sign-out'];

export default function AccountMenu({ trigger }: { trigger: ReactElement }) {
  const actions = offeredActions()
    .filter((action) => shown.includes(action.id))
    .sort((one, other) => shown.indexOf(one.id) - shown.indexOf(other.id));
  return (
    <Menu
      label={t('common.nav.account')}
      align="start"
      startOpen
      trigger={trigger}
      items={actions.map((action) => ({
        id: action.id,
        label: action.label,
        icon: action.icon,
        ...(action.keys ? { keys: action.keys.split('|')[0] ?? '' } : {}),
        apart: action.id === 'sign-out',
        onPick: action.effect,
      }))}
    />
  );
}
