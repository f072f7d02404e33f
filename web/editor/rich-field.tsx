// Rich text field. Its value is Markdown in and out; untouched blocks stay the same to the byte. It knows nothing of tasks: its parent passes people
// to mention and handles files.

import { useId, useImperativeHandle, useRef } from 'react';
import shapes from '../styles/shapes.module.css';
import { insertFile } from './insert-file.ts';
import styles from './rich-field.module.css';
import type { RichFieldProps } from './rich-field-props.ts';
import { dismissal } from './suggestions.ts';
import { type SuggestionsHandle, SuggestionsList } from './suggestions-list.tsx';
import { Toolbar, type ToolbarHandle } from './toolbar.tsx';
import { useEditorView } from './use-editor-view.ts';

export default function RichField(props: RichFieldProps) {
  const { named, small = false, attach } = props;
  const id = useId();
  const list = useRef<SuggestionsHandle>(null);
  const toolbar = useRef<ToolbarHandle>(null);
  const { frame, view, shown } = useEditorView(props, { list, toolbar });
  const asked = shown?.hasFocus ? shown.asked : null;

  useImperativeHandle(props.handle, () => ({
    insertFiles(files) {
      const made = view.current;
      if (made === null) return;
      insertFile(made, attach(files));
      made.focus();
    },
  }));

  return (
    <div className={`${shapes.holder} ${shapes.slim} ${small ? styles.small : ''}`}>
      <div ref={frame} />
      {asked && view.current && (
        <SuggestionsList
          ref={list}
          id={id}
          asked={asked}
          view={view.current}
          people={named.people}
          findTasks={props.findTasks}
          onDismiss={() => view.current?.dispatch(view.current.state.tr.setMeta(dismissal.key, dismissal.value))}
          onFiles={props.chooseFiles}
        />
      )}
      {shown && view.current && (
        <Toolbar ref={toolbar} view={view.current} hasFocus={shown.hasFocus} quiet={asked !== null} />
      )}
    </div>
  );
}
