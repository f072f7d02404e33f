// What an address that leads to a comment ends in.

export const anchorOf = (commentId: string): string => `comment-${commentId}`;
