// sendfile(2) of Linux, which Node does not have: pages of the system's cache go to a connection without passing through this process. It is
// called by way of `koffi`, an optional package; where that is missing, or the system is another, there is none and bytes go the usual way.

export interface Sendfile {
  /** A descriptor of one's own for the same connection: it stays what it is, whatever is closed meanwhile. Negative when there is none. */
  readonly duplicate: (descriptor: number) => number;
  /** On another thread, and never waiting for the receiver. Tells how many bytes were taken; negative: none now, or never. */
  readonly send: (to: number, from: number, at: number, count: number, sent: (count: number) => void) => void;
}

/** What is used of the package; it is not always installed, so its own types are not asked for. */
interface Koffi {
  load(library: null): { func(prototype: string): Foreign };
}
interface Foreign {
  (...args: unknown[]): number;
  async(...args: unknown[]): void;
}

/** F_DUPFD_CLOEXEC: programs that this one starts do not inherit it. */
const duplicateForUs = 1030;
const packageName = 'koffi';

export async function loadSendfile(): Promise<Sendfile | null> {
  // Elsewhere it has other arguments, or other sizes of them.
  if (process.platform !== 'linux' || (process.arch !== 'x64' && process.arch !== 'arm64')) return null;
  try {
    const { default: koffi } = (await import(packageName)) as { default: Koffi };
    // Null is this program itself, which has the C library of the system, whatever its file is called.
    const system = koffi.load(null);
    const fcntl = system.func('int fcntl(int descriptor, int command, int argument)');
    const sendfile = system.func('int64_t sendfile(int to, int from, _Inout_ int64_t *at, uint64_t count)');
    return {
      duplicate: (descriptor) => fcntl(descriptor, duplicateForUs, 0),
      send: (to, from, at, count, sent) =>
        sendfile.async(to, from, [at], count, (error: unknown, taken: number) => sent(error ? -1 : taken)),
    };
  } catch {
    return null;
  }
}
