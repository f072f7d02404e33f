// The OAuth client that the command line is at every instance: public, for the device grant alone.

export const commandLine = {
  id: '7f1d2c7e-5b0a-4f3e-9a52-6b616e626173',
  name: 'Kanbase command line',
  /** The most it may ask for. */
  scope: 'write',
} as const;
