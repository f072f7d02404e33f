// Limits of an import worker: processor time, memory, and time by the clock.

const megabyte = 1024 * 1024;

export const workerLimits = {
  /** Of processor time for reading a file, and then for each step of writing it: a busy machine is no fault of a file. */
  cpuMs: 20_000,
  /** Also where the machine is too busy to give it that. */
  readMs: 120_000,
  heapMegabytes: 1024,
  /** The heap, the file as it came, and Node itself. */
  rssBytes: 1280 * megabyte,
  /** One that is asked to stop may end the step it is at. */
  stopMs: 10_000,
};

export type WorkerLimits = typeof workerLimits;
