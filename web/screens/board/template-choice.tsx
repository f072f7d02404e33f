// A new task may begin with a template: chosen from a menu, it fills the line with its title, stands below it, and is let go by a press.

import { FileStack, X } from 'lucide-react';
import { type Proposed, readProposed, useAsk } from '../../commands.ts';
import styles from '../../pieces/quick-line/quick-line.module.css';
import { templatesFor, useQuery, useScope, useUserId } from '../../queries.ts';
import { languageHere } from '../../strings/language.ts';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { Button } from '../../ui/button.tsx';
import { Menu } from '../../ui/overlays/menu.tsx';

export interface Chosen {
  readonly id: string;
  readonly name: string;
  /** What its task is called. */
  readonly title: string;
  /** The labels it needs. */
  readonly labels: Proposed['labels'];
}

interface TemplateChoiceProps {
  readonly projectId: string;
  readonly chosen: Chosen | null;
  readonly onChoose: (chosen: Chosen | null) => void;
}

export default function TemplateChoice({ projectId, chosen, onChoose }: TemplateChoiceProps) {
  const ask = useAsk();
  useScope({ kind: 'templates', userId: useUserId() });
  const templates = useQuery(templatesFor, 'task', languageHere(), projectId);
  if (chosen !== null)
    return (
      <div className={`${shapes.rowS2} ${shapes.wraps} ${styles.parts}`}>
        <button
          type="button"
          className={`${shapes.inlineS2} ${shapes.within} ${styles.part}`}
          aria-label={t('templates.let', { name: chosen.name })}
          title={t('templates.let', { name: chosen.name })}
          onClick={() => onChoose(null)}
        >
          <FileStack size={13} aria-hidden="true" />
          <span className={shapes.words}>{t('templates.chosen', { name: chosen.name })}</span>
          <X size={12} aria-hidden="true" />
        </button>
      </div>
    );
  if (templates.length === 0) return null;
  return (
    <div>
      <Menu
        label={t('templates.choose')}
        align="start"
        trigger={
          <Button look="quiet" icon={<FileStack size={14} />}>
            {t('templates.choose')}
          </Button>
        }
        items={templates.map(({ id, name }) => ({
          id,
          label: name,
          onPick: () =>
            void ask(readProposed, id).then(
              ({ name: title, labels }) => onChoose({ id, name, title, labels }),
              () => onChoose({ id, name, title: name, labels: [] }),
            ),
        }))}
      />
    </div>
  );
}
