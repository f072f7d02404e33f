// The navigation as a drawer, for screens too small to keep it at the side.

import { t } from '../strings/messages.ts';
import { Dialog } from '../ui/overlays/dialog.tsx';
import { Navigation } from './navigation.tsx';

export default function Drawer({ onClose }: { onClose: () => void }) {
  return (
    <Dialog open onClose={onClose} title={t('common.nav.main')} bareTitle look="drawer">
      <Navigation />
    </Dialog>
  );
}
