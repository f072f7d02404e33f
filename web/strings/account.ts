// Words of the account screen.

export const account = {
  title: 'Account',
} as const;
