// A project exported from wherever one is in it.

import type { ProjectRow } from '../../queries.ts';
import { t } from '../../strings/messages.ts';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { ExportPart } from './export-part.tsx';

export default function ExportDialog({ project, onClose }: { project: ProjectRow; onClose: () => void }) {
  return (
    <Dialog open onClose={onClose} title={t('exports.titleOf', { name: project.name })} description={t('exports.hint')}>
      <ExportPart projectId={project.id} />
    </Dialog>
  );
}
