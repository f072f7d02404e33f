// A refusal that a model reads: what is wrong and what to do next.

export class ToolFault extends Error {
  constructor(
    message: string,
    readonly code: string | null = null,
  ) {
    super(message);
    this.name = 'ToolFault';
  }
}
