// Button that deletes a field or one of its options, after naming the number of tasks with a value that would be lost.

import { Trash2 } from 'lucide-react';
import { useEffect, useState } from 'react';
import { askFieldUse, useAsk } from '../../commands.ts';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { Button, IconButton } from '../../ui/button.tsx';
import { Popover } from '../../ui/overlays/popover.tsx';
import styles from './field-settings.module.css';

interface Props {
  readonly label: string;
  readonly fieldId: string;
  readonly optionId?: string;
  readonly onRemove: () => void;
}

export function DeleteFieldButton({ label, fieldId, optionId, onRemove }: Props) {
  const [open, setOpen] = useState(false);
  return (
    <Popover
      label={label}
      align="end"
      open={open}
      onOpenChange={setOpen}
      trigger={
        <IconButton label={label}>
          <Trash2 size={15} />
        </IconButton>
      }
    >
      <Loss fieldId={fieldId} optionId={optionId} label={label} onRemove={onRemove} />
    </Popover>
  );
}

/** Undefined: not known yet; null: nobody answered. */
function useLost(fieldId: string, optionId: string | undefined): number | null | undefined {
  const ask = useAsk();
  const [lost, setLost] = useState<number | null>();
  useEffect(() => {
    let wanted = true;
    ask(askFieldUse, fieldId).then(
      ({ tasks, options }) => wanted && setLost(optionId === undefined ? tasks : (options[optionId] ?? 0)),
      () => wanted && setLost(null),
    );
    return () => {
      wanted = false;
    };
  }, [ask, fieldId, optionId]);
  return lost;
}

function Loss({ fieldId, optionId, label, onRemove }: Omit<Props, 'optionId'> & { optionId: string | undefined }) {
  const lost = useLost(fieldId, optionId);
  const words =
    lost === undefined
      ? t('common.loading')
      : lost === null
        ? t('plan.fields.lossUnknown')
        : t('plan.fields.loss', { n: lost });
  return (
    <div className={`${shapes.stackS4} ${styles.loss}`}>
      <p role="status">{words}</p>
      <Button look="danger" disabled={lost === undefined} onClick={onRemove}>
        {label}
      </Button>
    </div>
  );
}
