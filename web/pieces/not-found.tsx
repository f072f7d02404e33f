// Page for an address inside the app at which nothing is.

import { paths } from '../routes.ts';
import { t } from '../strings/messages.ts';
import { ButtonLink } from '../ui/button-link.tsx';
import { EmptyState } from '../ui/list-states.tsx';
import { usePageTitle } from '../ui/page-title.ts';

export function NotFound() {
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
