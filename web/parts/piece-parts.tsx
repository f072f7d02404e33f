// Every part of pieces/ with the states that are worth a look.

import { useRef } from 'react';
import type { Upload } from '../files/uploads.ts';
import { AgentTag, AgentWord } from '../pieces/agent-tag.tsx';
import { Calendar } from '../pieces/calendar.tsx';
import { ChoiceMark } from '../pieces/choice-mark.tsx';
import { ClaimMark } from '../pieces/claim-mark.tsx';
import { DayPicker } from '../pieces/day-picker.tsx';
import { Logo } from '../pieces/logo.tsx';
import { NotFound } from '../pieces/not-found.tsx';
import { PictureField } from '../pieces/picture-field.tsx';
import { ProjectPicture } from '../pieces/project-picture.tsx';
import { PickOne } from '../pieces/properties/options.tsx';
import { None } from '../pieces/properties/picked.tsx';
import { ValueEditor, ValueFace, ValuePicker } from '../pieces/properties/value.tsx';
import { Words } from '../pieces/properties/words.tsx';
import { LineParts } from '../pieces/quick-line/line-parts.tsx';
import { PartSign } from '../pieces/quick-line/part-sign.tsx';
import { QuickField } from '../pieces/quick-line/quick-field.tsx';
import type { QuickLine } from '../pieces/quick-line/use-quick-line.ts';
import { RecurrenceMark } from '../pieces/recurrence-mark.tsx';
import { RestrictedMark } from '../pieces/restricted-mark.tsx';
import { AgentMark, StateMark } from '../pieces/session-state.tsx';
import { SharedMark } from '../pieces/shared-mark.tsx';
import { DueMark, KindMark, LabelChip, PriorityMark, ProjectBadge, ProjectDot } from '../pieces/task-badges.tsx';
import { TaskMarkdown } from '../pieces/task-markdown.tsx';
import { UploadLine } from '../pieces/upload-line.tsx';
import { t } from '../strings/messages.ts';
import { Avatar } from '../ui/avatar.tsx';
import { Button } from '../ui/button.tsx';
import { inRow, kinds, nothing, people, priorities, type Shown, shownTask, taskKey } from './shown.ts';

export const pieceParts: readonly Shown[] = [
  {
    file: 'pieces/task-badges.tsx',
    Draw: () => (
      <>
        <div style={inRow}>
          {priorities.map((priority) => (
            <PriorityMark key={priority} priority={priority} named />
          ))}
          {kinds.map((kind) => (
            <KindMark key={kind} kind={kind} />
          ))}
        </div>
        <div style={inRow}>
          <ProjectDot color="#b45309" />
          <ProjectBadge color={null}>{people[0]?.slice(0, 3).toUpperCase()}</ProjectBadge>
          <LabelChip name={t('common.colours.teal')} color="#0f766e" />
          <LabelChip name={t('common.colours.red')} color="#b91c1c" />
        </div>
        <div style={inRow}>
          {['2026-11-02', '2026-11-28', '2026-12-24'].map((due) => (
            <DueMark key={due} due={due} completed={null} />
          ))}
        </div>
      </>
    ),
  },
  { file: 'pieces/calendar.tsx', Draw: () => <Calendar chosen="2026-11-20" meant={null} onPick={nothing} /> },
  {
    file: 'pieces/day-picker.tsx',
    opens: true,
    Draw: () => (
      <DayPicker
        trigger={<Button>{t('days.tomorrow')}</Button>}
        label={t('common.suggestions')}
        chosen={null}
        onPick={() => null}
      />
    ),
  },
  {
    file: 'pieces/choice-mark.tsx',
    Draw: () => (
      <div style={inRow}>
        <ChoiceMark of={{ id: 'p0', name: t('common.priorities.p0'), priority: 'p0' }} />
        <ChoiceMark of={{ id: 'done', name: t('common.kinds.done'), kind: 'done' }} />
        <ChoiceMark of={{ id: 'ada', name: 'Ada Lovelace', picture: null }} />
        <ChoiceMark of={{ id: 'teal', name: t('common.colours.teal'), color: '#0f766e' }} />
      </div>
    ),
  },
  { file: 'pieces/logo.tsx', Draw: Logo },
  { file: 'pieces/not-found.tsx', Draw: NotFound },
  {
    file: 'pieces/project-picture.tsx',
    Draw: () => (
      <div style={inRow}>
        {([16, 24, 48] as const).map((size) => (
          <ProjectPicture key={size} project={{ avatar_url: null, color: '#7c3aed', key: 'HAR' }} size={size} />
        ))}
      </div>
    ),
  },
  {
    file: 'pieces/picture-field.tsx',
    Draw: () =>
      [null, '/missing.webp'].map((current) => (
        <PictureField
          key={String(current)}
          folder="nobody"
          current={current}
          shape="round"
          hint={t('account.profileHint')}
          onChange={nothing}
        >
          <Avatar name="Ada Lovelace" seed="Ada" size={48} />
        </PictureField>
      )),
  },
  {
    file: 'pieces/properties/options.tsx',
    opens: true,
    Draw: () => (
      <PickOne
        of="priority"
        projectId={shownTask.project_id}
        value="p1"
        label={t('property.priority')}
        trigger={<Button>{t('property.priority')}</Button>}
        onChange={() => null}
      />
    ),
  },
  { file: 'pieces/properties/picked.tsx', Draw: () => <None name={t('property.due_date')} /> },
  {
    file: 'pieces/properties/value.tsx',
    Draw: () => (
      <>
        {(['priority', 'due_date', 'start_date', 'estimate', 'title'] as const).map((id) => (
          <ValueEditor
            key={id}
            of={id}
            task={shownTask}
            canWrite={id !== 'title'}
            name={id}
            label={t(`property.${id}`)}
          />
        ))}
        <div style={inRow}>
          <ValuePicker
            of="due_date"
            task={shownTask}
            label={t('property.due_date')}
            trigger={<Button>{t('property.due_date')}</Button>}
          />
          {(['Card', 'Cell'] as const).map((at) => (
            <ValueFace key={at} at={at} of="column" projectId={shownTask.project_id} value="quay" />
          ))}
        </div>
      </>
    ),
  },
  { file: 'pieces/properties/words.tsx', Draw: () => <Words value={shownTask.title} /> },
  {
    file: 'pieces/task-markdown.tsx',
    Draw: () => (
      <TaskMarkdown
        text={`${taskKey} @Ada Lovelace\n\n- [ ] **${t('common.kinds.done')}**\n\n\`\`\`js\nconst ships = 3;\n\`\`\``}
        mentions={people}
        onOpen={nothing}
        onTick={() => false}
      />
    ),
  },
  {
    file: 'pieces/upload-line.tsx',
    Draw: () => (
      <ul>
        {uploads().map((upload) => (
          <UploadLine key={upload.attachment.id} upload={upload} />
        ))}
      </ul>
    ),
  },
  {
    file: 'pieces/quick-line/quick-field.tsx',
    Draw: () => (
      <div style={inRow}>
        <QuickField line={quickLine} field={useRef(null)} aria-label={t('board.addPlaceholder')} />
      </div>
    ),
  },
  {
    file: 'pieces/quick-line/line-parts.tsx',
    Draw: () => <LineParts line={quickLine} onBack={nothing} onEscape={nothing} />,
  },
  {
    file: 'pieces/quick-line/part-sign.tsx',
    Draw: () => (
      <div style={inRow}>
        {lineParts.map((part) => (
          <PartSign key={part.kind} part={part} words={quickLine.words} />
        ))}
      </div>
    ),
  },
  {
    file: 'pieces/recurrence-mark.tsx',
    Draw: () => (
      <div>
        <RecurrenceMark />
      </div>
    ),
  },
  {
    file: 'pieces/restricted-mark.tsx',
    Draw: () => (
      <div>
        <RestrictedMark />
      </div>
    ),
  },
  {
    file: 'pieces/agent-tag.tsx',
    Draw: () => (
      <div style={inRow}>
        <Avatar name="Planner" url="/icons/agent.svg" seed="agent" />
        <AgentWord />
        <AgentTag userId="agent" />
      </div>
    ),
  },
  {
    file: 'pieces/claim-mark.tsx',
    Draw: () => (
      <div>
        <ClaimMark claim={{ name: 'Ada Lovelace', expires_at: '2026-12-24T14:30:00Z' }} />
      </div>
    ),
  },
  {
    file: 'pieces/session-state.tsx',
    Draw: () => (
      <>
        <div style={inRow}>
          {states.map((state) => (
            <StateMark key={state} state={state} />
          ))}
          <StateMark state="stopped" />
        </div>
        <div style={inRow}>
          {states.map((state) => (
            <AgentMark
              key={state}
              agent={{ sessionId: state, userId: 'agent', name: 'Planner', avatarUrl: '/icons/agent.svg', state }}
            />
          ))}
        </div>
      </>
    ),
  },
  {
    file: 'pieces/shared-mark.tsx',
    Draw: () => (
      <div>
        <SharedMark names="Gwen Guest" />
      </div>
    ),
  },
];

const states = ['pending', 'active', 'awaiting_input', 'complete', 'error', 'stale'] as const;
const lineParts = [
  { kind: 'assignee', is: 'ada', typed: '@ada' },
  { kind: 'label', is: 'teal', typed: '#teal' },
  { kind: 'priority', is: 'p1', typed: '!!' },
  { kind: 'due', is: '2026-12-24', typed: '^24' },
] as const;
const quickLine: QuickLine = {
  ...{ projectId: shownTask.project_id, text: shownTask.title, typed: { current: shownTask.title }, plain: false },
  words: {
    people: [{ userId: 'ada', name: 'Ada Lovelace', avatarUrl: null }],
    labels: [{ id: 'teal', project_id: shownTask.project_id, name: 'Harbour', color: '#0f766e' }],
    ...{ userId: 'ada', today: '2026-11-28' },
  },
  lines: [{ title: shownTask.title, parts: lineParts }],
  ...{ type: nothing, keepInTitle: nothing, readToAdd: nothing, read: (title) => ({ title, parts: [] }) },
};

function uploads(): readonly Upload[] {
  return (['waiting', 'sending', 'unreachable', 'failed'] as const).map((state, at) => ({
    attachment: {
      id: state,
      project_id: 'project',
      task_id: 'task',
      name: `harbour-${at}.pdf`,
      content_type: 'application/pdf',
      size_bytes: 2_000_000,
      object_path: state,
    },
    state,
    sent: 700_000,
    fault: state === 'failed' ? t('files.fault.type') : null,
    preview: null,
  }));
}
