// Inside the app, at an address where nothing is.

import { Link } from 'wouter';
import { paths } from '../routes.ts';
import { words } from '../strings/words.ts';
import { usePageTitle } from '../ui/page-title.ts';
import { EmptyState } from '../ui/state.tsx';

export function Missing() {
  usePageTitle(words.common.failed.goneTitle);
  return (
    <EmptyState
      whole
      title={words.common.failed.goneTitle}
      action={
        <Link href={paths.projects} className="button button-plain">
          {words.common.failed.toProjects}
        </Link>
      }
    >
      <p>{words.common.failed.goneWords}</p>
    </EmptyState>
  );
}
