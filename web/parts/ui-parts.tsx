// Every part of ui/ with the states that are worth a look. Words are messages of the app, so that the page is read in every language.

import { KeyRound, Plus, Trash2 } from 'lucide-react';
import { useRef, useState } from 'react';
import { t } from '../strings/messages.ts';
import { Avatar } from '../ui/avatar.tsx';
import { Button, IconButton } from '../ui/button.tsx';
import { ButtonLink } from '../ui/button-link.tsx';
import { Bars, Flow, Lying } from '../ui/charts.tsx';
import { Edge } from '../ui/edge.tsx';
import { ErrorBoundary } from '../ui/error-boundary.tsx';
import { FactRow } from '../ui/fact-row.tsx';
import { CheckField, SelectField, TextArea, TextField } from '../ui/fields/field.tsx';
import { OfferList } from '../ui/fields/offer-list.tsx';
import { PasswordField } from '../ui/fields/password-field.tsx';
import { Picker } from '../ui/fields/picker.tsx';
import { Segments } from '../ui/fields/segments.tsx';
import { SwatchField } from '../ui/fields/swatch-field.tsx';
import { Keys } from '../ui/keys.tsx';
import { lazyComponent } from '../ui/lazy-component.tsx';
import { EmptyState, Loading, Notice, Skeleton } from '../ui/list-states.tsx';
import { RowLink } from '../ui/lists/row-link.tsx';
import { ShowAll } from '../ui/lists/show-all.tsx';
import { SortableLines, useSortableLine } from '../ui/lists/sortable.tsx';
import { Confirm, Dialog } from '../ui/overlays/dialog.tsx';
import { Menu } from '../ui/overlays/menu.tsx';
import { Popover } from '../ui/overlays/popover.tsx';
import { SheetGrip } from '../ui/overlays/sheet-grip.tsx';
import { showError, showMessage, Toaster } from '../ui/overlays/toaster.tsx';
import { Section } from '../ui/section.tsx';
import { Markdown } from '../ui/text/markdown.tsx';
import { InTopBar, ScreenTitle, TopBarSlot } from '../ui/top-bar-slot.tsx';
import { inRow, kinds, nothing, people, priorities, type Shown } from './shown.ts';

const CropDialog = lazyComponent(() => import('../ui/overlays/crop-dialog.tsx'), ['files']);

const looks = ['main', 'plain', 'quiet', 'danger'] as const;
const tones = ['plain', 'good', 'warn', 'danger'] as const;

export const uiParts: readonly Shown[] = [
  {
    file: 'ui/button.tsx',
    Draw: () =>
      [{}, { disabled: true }].map((state) => (
        <div key={JSON.stringify(state)} style={inRow}>
          {looks.map((look) => (
            <Button key={look} look={look} icon={<Plus size={15} />} {...state}>
              {t('common.save')}
            </Button>
          ))}
          <IconButton label={t('common.close')} {...state}>
            <Trash2 size={16} />
          </IconButton>
        </div>
      )),
  },
  {
    file: 'ui/button-link.tsx',
    Draw: () => (
      <div style={inRow}>
        <ButtonLink href="/ui">{t('common.nav.projects')}</ButtonLink>
        <ButtonLink href="/ui" look="main">
          {t('common.nav.newProject')}
        </ButtonLink>
      </div>
    ),
  },
  {
    file: 'ui/avatar.tsx',
    Draw: () => (
      <div style={inRow}>
        {([20, 24, 32, 48] as const).flatMap((size) =>
          people.map((name) => <Avatar key={name + size} name={name} seed={name} size={size} />),
        )}
      </div>
    ),
  },
  {
    file: 'ui/keys.tsx',
    Draw: () => (
      <div style={inRow}>
        {['mod+k', 'shift+v', 'g p', 'up', 'enter', 'escape'].map((keys) => (
          <Keys key={keys} keys={keys} />
        ))}
      </div>
    ),
  },
  {
    file: 'ui/fields/field.tsx',
    Draw: () => (
      <>
        <TextField label={t('account.name')} hint={t('account.profileHint')} defaultValue="Ada" />
        <TextField label={t('account.name')} error={t('account.nameMissing')} defaultValue="" />
        <TextArea label={t('property.description')} rows={3} defaultValue={t('dashboard.throughputHint')} />
        <SelectField
          label={t('property.priority')}
          value="p1"
          choices={priorities.map((value) => ({ value, label: t(`common.priorities.${value}`) }))}
          onPick={nothing}
        />
        <CheckField label={t('common.kinds.done')} hint={t('account.profileHint')} defaultChecked />
      </>
    ),
  },
  {
    file: 'ui/fields/password-field.tsx',
    Draw: () => <PasswordField label={t('common.newPassword')} defaultValue="Count the ships" />,
  },
  {
    file: 'ui/fields/segments.tsx',
    Draw: () => {
      const [look, setLook] = useState<'roomy' | 'compact'>('roomy');
      return (
        <Segments
          label={t('board.density')}
          choices={['roomy', 'compact']}
          value={look}
          say={(one) => t(`board.${one}`)}
          onPick={setLook}
        />
      );
    },
  },
  {
    file: 'ui/fields/swatch-field.tsx',
    Draw: function Swatches() {
      const [hex, setHex] = useState<string | null>('#0f766e');
      return <SwatchField label={t('common.colour')} value={hex} onPick={setHex} />;
    },
  },
  {
    file: 'ui/fields/picker.tsx',
    opens: true,
    Draw: () => (
      <Picker
        trigger={<Button>{t('common.search')}</Button>}
        label={t('property.priority')}
        items={priorities.map((id, at) => ({ id, label: t(`common.priorities.${id}`), chosen: at === 1 }))}
        onPick={nothing}
      />
    ),
  },
  {
    file: 'ui/fields/offer-list.tsx',
    Draw: () => (
      <OfferList
        id="offers"
        label={t('common.suggestions')}
        items={priorities.map((id, at) => ({
          ...{ id, name: t(`common.priorities.${id}`), pick: nothing },
          ...(at === 1 ? { note: t('common.chosen'), disabled: true } : {}),
        }))}
        className={undefined}
        ready
        keys={useRef(null)}
        onActive={nothing}
        onClose={nothing}
      />
    ),
  },
  {
    file: 'ui/overlays/menu.tsx',
    opens: true,
    Draw: () => (
      <Menu
        label={t('common.more')}
        trigger={<Button>{t('common.more')}</Button>}
        items={[
          { id: 'edit', label: t('common.edit'), keys: 'e', onPick: nothing },
          { id: 'shown', label: t('common.chosen'), checked: true, onPick: nothing },
          { id: 'undo', label: t('common.undo'), disabled: true, onPick: nothing },
          { id: 'gone', label: t('common.nav.signOut'), danger: true, apart: true, onPick: nothing },
        ]}
      />
    ),
  },
  {
    file: 'ui/overlays/popover.tsx',
    opens: true,
    Draw: () => (
      <Popover label={t('common.themes.light')} trigger={<Button>{t('common.themes.light')}</Button>}>
        <p style={{ padding: '1rem' }}>{t('dashboard.throughputHint')}</p>
      </Popover>
    ),
  },
  {
    file: 'ui/overlays/dialog.tsx',
    opens: true,
    Draw: function Dialogs() {
      const [open, setOpen] = useState<'dialog' | 'confirm' | null>(null);
      const close = (): void => setOpen(null);
      return (
        <div style={inRow}>
          <Button onClick={() => setOpen('dialog')}>{t('common.edit')}</Button>
          <Button onClick={() => setOpen('confirm')}>{t('common.nav.signOut')}</Button>
          <Dialog open={open === 'dialog'} onClose={close} title={t('account.profile')}>
            <TextField label={t('account.name')} />
          </Dialog>
          <Confirm
            open={open === 'confirm'}
            onClose={close}
            title={t('common.nav.signOut')}
            description={t('common.offline')}
          >
            <Button onClick={close}>{t('common.cancel')}</Button>
            <Button look="danger" onClick={close}>
              {t('common.nav.signOut')}
            </Button>
          </Confirm>
        </div>
      );
    },
  },
  { file: 'ui/overlays/crop-dialog.tsx', opens: true, Draw: Cropping },
  { file: 'ui/overlays/sheet-grip.tsx', Draw: SheetGrip },
  {
    file: 'ui/overlays/toaster.tsx',
    Draw: () => (
      <div style={inRow}>
        <Toaster />
        <Button onClick={() => showMessage(t('common.saved'))}>{t('common.saved')}</Button>
        <Button onClick={() => showError(t('common.failed.title'), t('common.failed.words'))}>
          {t('common.failed.title')}
        </Button>
      </div>
    ),
  },
  {
    file: 'ui/list-states.tsx',
    Draw: () => (
      <>
        {tones.map((tone) => (
          <Notice key={tone} tone={tone}>
            {t('common.stale')}
          </Notice>
        ))}
        <EmptyState title={t('common.failed.title')} action={<Button>{t('common.retry')}</Button>}>
          <p>{t('common.failed.words')}</p>
        </EmptyState>
        <Loading label={t('common.loading')}>
          <Skeleton width="60%" />
        </Loading>
      </>
    ),
  },
  {
    file: 'ui/fact-row.tsx',
    Draw: () => (
      <ul>
        <FactRow icon={KeyRound} good name={t('account.passkeys')} facts={[t('account.profileHint')]}>
          <Button>{t('common.edit')}</Button>
          <Button>{t('common.delete')}</Button>
        </FactRow>
        <FactRow words name={t('account.noPasskeys')} />
      </ul>
    ),
  },
  {
    file: 'ui/section.tsx',
    Draw: () => (
      <Section title={t('account.profile')} hint={t('account.profileHint')}>
        <TextField label={t('account.name')} />
      </Section>
    ),
  },
  {
    file: 'ui/error-boundary.tsx',
    Draw: () => (
      <ErrorBoundary>
        <Broken />
      </ErrorBoundary>
    ),
  },
  { file: 'ui/top-bar-slot.tsx', Draw: Title },
  {
    file: 'ui/edge.tsx',
    Draw: () => (
      <div style={{ position: 'relative', height: '3rem', borderInlineStart: '1px solid var(--line)' }}>
        <Edge
          className={undefined}
          style={{ left: '50%' }}
          label={t('task.width')}
          width={200}
          least={100}
          most={400}
          step={10}
          onMove={nothing}
        />
      </div>
    ),
  },
  {
    file: 'ui/lists/row-link.tsx',
    Draw: () => (
      <div>
        <RowLink href="/ui">{t('common.nav.projects')}</RowLink>
      </div>
    ),
  },
  { file: 'ui/lists/show-all.tsx', Draw: Shortened },
  { file: 'ui/lists/sortable.tsx', Draw: Lines },
  {
    file: 'ui/text/markdown.tsx',
    Draw: () => (
      <Markdown text={'## Harbour\n\n- [x] **Ships**\n- [ ] `crane`\n\n> Quay\n\n| A | B |\n|---|---|\n| 1 | 2 |'} />
    ),
  },
  { file: 'ui/charts.tsx', Draw: Charts },
];

function Broken(): never {
  throw new Error('a part that fails');
}

function Title() {
  const [line, setLine] = useState<HTMLElement | null>(null);
  return (
    <TopBarSlot value={line}>
      <div ref={setLine} style={inRow} />
      <ScreenTitle>{t('common.nav.projects')}</ScreenTitle>
      <InTopBar>
        <Button>{t('common.nav.newProject')}</Button>
      </InTopBar>
    </TopBarSlot>
  );
}

function Shortened() {
  const list = useRef<HTMLUListElement>(null);
  const [all, setAll] = useState(false);
  return (
    <>
      <ul ref={list} tabIndex={-1}>
        {people.slice(0, all ? 3 : 1).map((name) => (
          <li key={name}>{name}</li>
        ))}
      </ul>
      {!all && (
        <ShowAll list={list} onShow={() => setAll(true)}>
          {t('common.more')}
        </ShowAll>
      )}
    </>
  );
}

function Cropping() {
  const [file, setFile] = useState<Blob | null>(null);
  const drawing =
    '<svg xmlns="http://www.w3.org/2000/svg" width="300" height="200"><circle cx="150" cy="90" r="60"/></svg>';
  return (
    <div style={inRow}>
      <Button onClick={() => setFile(new Blob([drawing], { type: 'image/svg+xml' }))}>
        {t('common.picture.choose')}
      </Button>
      {file && <CropDialog file={file} shape="round" onUse={() => Promise.resolve()} onClose={() => setFile(null)} />}
    </div>
  );
}

function Lines() {
  const [names, setNames] = useState(people);
  return (
    <SortableLines
      lines={names.map((name) => ({ id: name, name }))}
      onMove={(id, index) => {
        const others = names.filter((name) => name !== id);
        setNames([...others.slice(0, index), id, ...others.slice(index)]);
      }}
    >
      {names.map((name) => (
        <Line key={name} name={name} />
      ))}
    </SortableLines>
  );
}

function Line({ name }: { name: string }) {
  const { line, grip } = useSortableLine(name);
  return (
    <div {...line} style={{ ...inRow, ...line.style }}>
      {grip(name)}
      {name}
    </div>
  );
}

function Charts() {
  const series = [
    { key: 'open', name: t('dashboard.figures.open'), color: 'var(--chart-2)' },
    { key: 'completed', name: t('dashboard.figures.completed'), color: 'var(--chart-1)' },
  ];
  const rows = kinds.map((kind, at) => ({
    name: t(`common.kinds.${kind}`),
    open: 3 + at * 2,
    completed: 7 - at,
    figure: String(10 + at),
  }));
  return (
    <>
      <Bars series={series} rows={rows} label={t('dashboard.throughput')} />
      <Flow series={series} rows={rows} label={t('dashboard.flow')} />
      <Lying series={series} rows={rows} label={t('dashboard.byAssignee')} />
    </>
  );
}
