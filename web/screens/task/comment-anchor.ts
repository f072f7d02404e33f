// Anchors of a comment, and of the field for a new one, in an address.

export const anchorOf = (commentId: string): string => `comment-${commentId}`;

/** Leads to the field for a new comment. */
export const commentHash = '#new-comment';

export function focusComment(around: HTMLElement | null | undefined): void {
  around?.querySelector<HTMLElement>('[data-new-comment] textarea, [data-new-comment] [role="textbox"]')?.focus();
}
