// Inside the app, at an address where nothing is.

import { paths } from '../routes.ts';
import { t } from '../strings/messages.ts';
import { ButtonLink } from '../ui/button-link.tsx';
import { usePageTitle } from '../ui/page-title.ts';
import { EmptyState } from '../ui/state.tsx';

export function Missing() {
  usePageTitle(t('common.failed.goneTitle'));
  return (
    <EmptyState
      whole
      title={t('common.failed.goneTitle')}
      action={<ButtonLink href={paths.projects}>{t('common.failed.toProjects')}</ButtonLink>}
    >
      <p>{t('common.failed.goneWords')}</p>
    </EmptyState>
  );
}
