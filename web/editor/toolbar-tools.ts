// Tools for selected words, in the order of the toolbar.

import {
  Bold,
  Code,
  CodeXml,
  Heading2,
  Italic,
  Link,
  List,
  ListChecks,
  ListOrdered,
  type LucideIcon,
  Quote,
  Strikethrough,
} from 'lucide-react';
import type { Command, EditorState } from 'prosemirror-state';
import { blockAt, blocks, bold, code, isMarked, italic, strike } from './editing-actions.ts';
import { schema } from './schema.ts';

export interface Tool {
  readonly name:
    | 'bold'
    | 'italic'
    | 'strike'
    | 'code'
    | 'link'
    | 'heading2'
    | 'bullets'
    | 'numbers'
    | 'tasks'
    | 'quote'
    | 'codeBlock';
  readonly icon: LucideIcon;
  /** For a link an address is asked first. */
  readonly command: Command | 'link';
  readonly isOn: (state: EditorState) => boolean;
}

const { marks: looks } = schema;

export const toolbarTools: readonly Tool[] = [
  { name: 'bold', icon: Bold, command: bold, isOn: (state) => isMarked(state, looks.strong) },
  { name: 'italic', icon: Italic, command: italic, isOn: (state) => isMarked(state, looks.em) },
  { name: 'strike', icon: Strikethrough, command: strike, isOn: (state) => isMarked(state, looks.strike) },
  { name: 'code', icon: Code, command: code, isOn: (state) => isMarked(state, looks.code) },
  { name: 'link', icon: Link, command: 'link', isOn: (state) => isMarked(state, looks.link) },
  { name: 'heading2', icon: Heading2, command: blocks.heading2, isOn: (state) => blockAt(state) === 'heading2' },
  { name: 'bullets', icon: List, command: blocks.bullets, isOn: (state) => blockAt(state) === 'bullets' },
  { name: 'numbers', icon: ListOrdered, command: blocks.numbers, isOn: (state) => blockAt(state) === 'numbers' },
  { name: 'tasks', icon: ListChecks, command: blocks.tasks, isOn: (state) => blockAt(state) === 'tasks' },
  { name: 'quote', icon: Quote, command: blocks.quote, isOn: (state) => blockAt(state) === 'quote' },
  { name: 'codeBlock', icon: CodeXml, command: blocks.code, isOn: (state) => blockAt(state) === 'code' },
];
