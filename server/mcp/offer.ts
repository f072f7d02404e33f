// Type of the server behind /mcp: tools, resources and prompts of the board, or those of the conformance suite. Transport, callers, sessions and errors
// are those of the door.

import type { McpServer, Server } from '@modelcontextprotocol/server';
import type { Board } from './board.ts';
import type { Binding } from './follow-changes.ts';
import type { Scope } from './tool.ts';

export interface ServedBoard {
  /** Opened once it is needed: lists of tools need none. */
  readonly board: (signal: AbortSignal, client?: string) => Board;
  readonly scope: string | undefined;
  /** The connection carries notifications of changed resources. */
  readonly tellsChanges: boolean;
  readonly onFailure: (error: unknown, tool: string) => void;
}

export interface Offer {
  /** For one request. */
  open(served: ServedBoard): Server | McpServer;
  scopeOf(tool: unknown): Scope | undefined;
  /** Rows that say that one of these resources has changed; of resources that the caller doesn't see, none. */
  bindingsOf(board: Board, uris: readonly string[]): Promise<readonly Binding[]>;
}
