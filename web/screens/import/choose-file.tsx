// The file: chosen, or dropped where it says so. Which product it comes from is told from the file; where each has its export stands below.

import { FileUp } from 'lucide-react';
import { useId, useRef, useState } from 'react';
import { uploadImport } from '../../commands/import-requests.ts';
import { useAsk } from '../../commands.ts';
import { partsIn } from '../../queries/projects/imports.ts';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/list-states.tsx';
import styles from './import.module.css';
import { exported, productName } from './products.ts';
import { sayImportRefusal } from './say-import-refusal.ts';

export function ChooseFile({ onUploaded }: { onUploaded: (id: string) => void }) {
  const ask = useAsk();
  const id = useId();
  const picker = useRef<HTMLInputElement>(null);
  const [over, setOver] = useState(false);
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState<string | null>(null);
  /** A zip that holds several. */
  const [several, setSeveral] = useState<{ file: File; parts: readonly string[] } | null>(null);

  async function take(file: File | undefined, part = ''): Promise<void> {
    if (file === undefined || busy) return;
    setBusy(true);
    setFault(null);
    try {
      const made = await ask(uploadImport, file, part);
      onUploaded(made.id);
    } catch (reason) {
      const parts = partsIn(reason);
      setSeveral(parts.length > 0 ? { file, parts } : null);
      if (parts.length === 0) setFault(sayImportRefusal(reason));
      setBusy(false);
    }
  }

  return (
    <>
      {fault && <Notice tone="danger">{fault}</Notice>}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: dropping is a shortcut; the button within does the same by keys */}
      <div
        className={`${shapes.stackS4} ${shapes.centred} ${styles.drop}`}
        data-over={over || undefined}
        aria-busy={busy}
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          event.preventDefault();
          setOver(false);
          void take(event.dataTransfer.files[0]);
        }}
      >
        <FileUp size={32} aria-hidden="true" />
        <Button look="main" busy={busy} onClick={() => picker.current?.click()}>
          {busy ? t('import.reading') : t('import.choose')}
        </Button>
        <input
          ref={picker}
          type="file"
          hidden
          aria-label={t('import.choose')}
          accept=".csv,.tsv,.txt,.json,.zip"
          onChange={({ currentTarget }) => {
            void take(currentTarget.files?.[0]);
            // The same file may be chosen again.
            currentTarget.value = '';
          }}
        />
        <p className={`${shapes.softS} ${styles.note}`}>{t('import.chooseHint')}</p>
      </div>
      {several && (
        <section className={`${shapes.part} ${styles.part}`} aria-labelledby={`${id}-parts`}>
          <h2 id={`${id}-parts`}>{t('import.parts', { file: several.file.name })}</h2>
          <p className={`${shapes.softS} ${styles.note}`}>{t('import.partsHint')}</p>
          <ul className={styles.rows}>
            {several.parts.map((part) => (
              <li key={part}>
                <button
                  type="button"
                  className={`${shapes.rowS4} ${styles.row}`}
                  disabled={busy}
                  onClick={() => void take(several.file, part)}
                >
                  <span className={`${shapes.breaks} ${shapes.fill} ${styles.words}`}>{part}</span>
                </button>
              </li>
            ))}
          </ul>
        </section>
      )}
      <section className={`${shapes.part} ${styles.part}`} aria-labelledby={`${id}-where`}>
        <h2 id={`${id}-where`}>{t('import.where')}</h2>
        <dl className={`${shapes.grid} ${styles.where}`}>
          {exported.map((product) => (
            <div key={product}>
              <dt>{productName(product)}</dt>
              <dd>{t(`import.export.${product}`)}</dd>
            </div>
          ))}
        </dl>
      </section>
    </>
  );
}
