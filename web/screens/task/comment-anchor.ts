// Anchor of a comment in an address.

export const anchorOf = (commentId: string): string => `comment-${commentId}`;
