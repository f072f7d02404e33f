// A dialog, popover or menu that is fetched when it is first shown: what is typed until it stands there is for its field, not for the page
// behind it.

import type { ComponentType } from 'react';
import type { Texts } from '../../strings/texts.ts';
import { lazyComponent } from '../lazy-component.tsx';
import { HoldKeys } from './buffered-keys.ts';

export function lazyOverlay<P extends object>(
  load: () => Promise<{ default: ComponentType<P> }>,
  texts: readonly Texts[] = [],
): ComponentType<P> & { readonly fetch: () => void } {
  const Fetched = lazyComponent(load, texts);
  const Overlay = (props: P) => <Fetched {...props} meanwhile={<HoldKeys />} />;
  return Object.assign(Overlay, { fetch: Fetched.fetch });
}
