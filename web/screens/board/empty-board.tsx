// A board without a column says so, and shows who may make one where to.

import { paths } from '../../routes.ts';
import { t } from '../../strings/messages.ts';
import { ButtonLink } from '../../ui/button-link.tsx';
import { EmptyState } from '../../ui/state.tsx';

export function EmptyBoard({ projectId, canWrite }: { projectId: string; canWrite: boolean }) {
  return (
    <EmptyState
      title={t('board.emptyBoard')}
      action={
        canWrite && (
          <ButtonLink href={paths.project(projectId, 'settings')} look="main">
            {t('projects.views.settings')}
          </ButtonLink>
        )
      }
    >
      <p>{t('board.emptyBoardWords')}</p>
    </EmptyState>
  );
}
