// In place of a project that was open here and is out of reach: what happened, and what to do next.

import type { Departure } from '../../queries.ts';
import { paths } from '../../routes.ts';
import { t } from '../../strings/messages.ts';
import { ButtonLink } from '../../ui/button-link.tsx';
import { usePageTitle } from '../../ui/page-title.ts';
import { EmptyState } from '../../ui/state.tsx';

export function Departed({ departure: { name, why } }: { departure: Departure }) {
  const title = t(`projects.departed.${why}`, { name });
  usePageTitle(title);
  return (
    <EmptyState
      whole
      title={title}
      action={<ButtonLink href={paths.projects}>{t('common.failed.toProjects')}</ButtonLink>}
    >
      <p role="alert">{t(`projects.departed.${why}Words`)}</p>
    </EmptyState>
  );
}
