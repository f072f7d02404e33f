// Templates of the user or of a project: renamed in place, and deleted.

import { FileStack, FolderKanban, Trash2 } from 'lucide-react';
import { deleteTemplate, editTemplate, useAct } from '../../commands.ts';
import { savedTemplates, type TemplateRow, useQuery, useScope, useUserId } from '../../queries.ts';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { IconButton } from '../../ui/button.tsx';
import { useSavedField } from '../../ui/fields/draft.ts';
import { TextField } from '../../ui/fields/field.tsx';
import { limitTo } from '../../ui/fields/limit-to.ts';
import styles from './template-list.module.css';

export function TemplateList({ projectId, canWrite }: { projectId: string; canWrite: boolean }) {
  useScope({ kind: 'templates', userId: useUserId() });
  const templates = useQuery(savedTemplates, projectId);
  if (templates.length === 0) return <p className={`${shapes.quietS} ${shapes.breaks}`}>{t('templates.none')}</p>;
  return (
    <ul className={shapes.stackS2} aria-label={t('templates.mine')}>
      {templates.map((template) => (
        <TemplateLine key={template.id} template={template} canWrite={canWrite} />
      ))}
    </ul>
  );
}

function TemplateLine({ template, canWrite }: { template: TemplateRow; canWrite: boolean }) {
  const act = useAct();
  const name = useSavedField(template.name, (text) => {
    if (text !== '') void act(editTemplate, template.id, { name: text });
    return null;
  });
  const Icon = template.kind === 'task' ? FileStack : FolderKanban;
  return (
    <li className={`${shapes.stackS3} ${shapes.level} ${styles.line}`}>
      <Icon size={16} aria-hidden="true" />
      {canWrite ? (
        <TextField label={t('templates.name')} bare {...limitTo(200)} {...name.field} />
      ) : (
        <span>{template.name}</span>
      )}
      <span className={shapes.softS}>
        {template.kind === 'task' ? t('templates.kinds.task') : t('property.project')}
      </span>
      {canWrite && (
        <IconButton
          label={t('templates.remove', { name: template.name })}
          onClick={() => void act(deleteTemplate, template.id)}
        >
          <Trash2 size={16} />
        </IconButton>
      )}
    </li>
  );
}
