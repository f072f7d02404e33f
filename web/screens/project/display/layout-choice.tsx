// Layouts of a view side by side. What is filtered, grouped and ordered goes along to the one that is chosen.

import { useLocation, useSearch, useSearchParams } from 'wouter';
import { type Layout, layouts } from '../../../../contract/views.ts';
import { paths } from '../../../routes.ts';
import { t } from '../../../strings/messages.ts';
import segmentsStyles from '../../../ui/fields/segments.module.css';
import { layoutIcons } from '../layout-icons.ts';
import { layoutParam, type ViewHandle } from '../view-handle.ts';
import styles from './display-popover.module.css';

interface LayoutChoiceProps {
  /** Empty across projects. */
  readonly projectId: string;
  readonly handle: ViewHandle;
  readonly onChoose: () => void;
}

export function LayoutChoice({ projectId, handle, onChoose }: LayoutChoiceProps) {
  const [, go] = useLocation();
  const search = useSearch();
  const choose = useChooseLayout(handle);
  const { layout } = handle.view;
  const pick = (next: Layout): void => {
    if (next === layout) return;
    onChoose();
    if (projectId === '') choose(next);
    else go(`${paths.project(projectId, next)}${search === '' ? '' : `?${search}`}`);
  };
  return (
    <fieldset className={`${segmentsStyles.segments} ${styles.layouts}`} aria-label={t('views.layout')}>
      {layouts.map((one) => {
        const Icon = layoutIcons[one];
        return (
          <button key={one} type="button" aria-pressed={one === layout} onClick={() => pick(one)}>
            <Icon size={16} aria-hidden="true" />
            <span>{t(`projects.views.${one}`)}</span>
          </button>
        );
      })}
    </fieldset>
  );
}

/** Across projects the layout stands among the parameters; the one that was saved needs no saying. */
export function useChooseLayout(handle: Pick<ViewHandle, 'saved'>): (next: Layout) => void {
  const [, setParams] = useSearchParams();
  return (next) =>
    setParams(
      (old) => {
        const chosen = new URLSearchParams(old);
        if (next === handle.saved?.layout) chosen.delete(layoutParam);
        else chosen.set(layoutParam, next);
        return chosen;
      },
      { replace: true },
    );
}
