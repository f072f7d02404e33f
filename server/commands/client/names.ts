// First words of the client commands, for whoever must tell them from the others without loading them.

export const clientNames: readonly string[] = [
  'task',
  'project',
  'login',
  'logout',
  'whoami',
  'mcp',
  'types',
  'completion',
];
