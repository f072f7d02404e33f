// From an address to an authenticated socket: TCP or unix socket, TLS as the mode asks, password exchange.
// What comes after (statements, results) is the business of connection.ts.

import { readFileSync } from 'node:fs';
import { connect as connectSocket, isIP, type OnReadOpts, type Socket } from 'node:net';
import { type ConnectionOptions, connect as connectTls, type PeerCertificate, rootCertificates } from 'node:tls';
import { PostgresError } from '../types.ts';
import { readError } from './errors.ts';
import { endOfText, int32, Reader } from './reader.ts';
import { md5Answer, type ScramStep, scramFinal, scramFirst, scramVerify } from './scram.ts';
import { isSocketDirectory, socketPath, type Target } from './target.ts';
import { Writer } from './writer.ts';

export interface Taker {
  push(chunk: Buffer): void;
  /** Where the taker would have the next bytes; `filled` tells it how many came. */
  readonly wanted?: Buffer | null;
  filled?(bytes: number): void;
}

export interface Dialled {
  readonly socket: Socket;
  /** Names who takes the bytes from now on. */
  receive(taker: Taker): void;
  /** Chunks are one buffer that every read fills anew: what is to be kept of them must be copied. */
  readonly lends: boolean;
  readonly pid: number;
  /** Up to 256 bytes since protocol 3.2; four in 3.0. */
  readonly secret: Buffer;
  readonly parameters: Map<string, string>;
}

/** Opens a connection, or throws what hindered it: a PostgresError from the server, or a socket error. */
export async function dial(target: Target, extra: Parameters = {}): Promise<Dialled> {
  if (isSocketDirectory(target.host) || target.sslmode === 'disable') return attempt(target, false, extra);
  if (target.sslmode !== 'allow') return attempt(target, target.sslmode === 'prefer' ? 'if-offered' : true, extra);
  // `allow`: plain first, TLS when the server will not have it plain.
  try {
    return await attempt(target, false, extra);
  } catch (error) {
    if (!(error instanceof PostgresError) || error.sqlstate !== '28000') throw error;
    return attempt(target, true, extra);
  }
}

/** Settings of the session, sent with the greeting: `replication`, for one. */
type Parameters = Readonly<Record<string, string>>;

async function attempt(target: Target, secure: boolean | 'if-offered', extra: Parameters): Promise<Dialled> {
  const lender = secure === false ? new Lender() : null;
  const socket = await openSocket(target, lender);
  const timer = setTimeout(
    () => socket.destroy(new Error(`No answer from the database within ${target.connectTimeoutMs / 1000} s`)),
    target.connectTimeoutMs,
  );
  try {
    const stream = secure === false ? socket : await secureSocket(socket, target, secure === true);
    try {
      return await authenticate(stream, target, lender, extra);
    } catch (error) {
      stream.destroy();
      throw error;
    }
  } catch (error) {
    socket.destroy();
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

/** A request to cancel that takes longer may reach Postgres when the connection serves somebody else. */
const cancelMs = 2000;

/**
 * Asks Postgres, on a connection of its own, to cancel what another one is doing. Resolves when the request is delivered, and is refused when nobody
 * can say whether it will be.
 */
export async function sendCancel(target: Target, pid: number, secret: Buffer): Promise<void> {
  const plain = await openSocket(target, null);
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    plain.destroy();
  }, cancelMs);
  try {
    const isSecure = !isSocketDirectory(target.host) && target.sslmode !== 'disable' && target.sslmode !== 'allow';
    const socket = isSecure ? await secureSocket(plain, target, target.sslmode !== 'prefer') : plain;
    await new Promise<void>((resolve) => {
      const out = new Writer();
      out.cancelRequest(pid, secret);
      // The server closes the connection once the signal is sent.
      socket.once('close', () => resolve());
      socket.on('error', () => undefined);
      socket.resume();
      socket.end(out.view());
    });
  } finally {
    clearTimeout(timer);
  }
  if (isLate) throw new Error('The request to cancel got no answer');
}

/**
 * One buffer for all reads of a plain connection (the runtime would make one of 64 kB for each), or the taker's own
 * while it awaits the rest of something large.
 */
class Lender {
  readonly #own = Buffer.allocUnsafeSlow(64 * 1024);
  #reading: Buffer = this.#own;
  #taker: Taker = { push: () => undefined };

  receive(taker: Taker): void {
    this.#taker = taker;
  }

  readonly options: OnReadOpts = {
    buffer: () => {
      this.#reading = this.#taker.wanted ?? this.#own;
      return this.#reading;
    },
    callback: (size) => {
      if (this.#reading === this.#own) this.#taker.push(this.#own.subarray(0, size));
      else this.#taker.filled?.(size);
      return true;
    },
  };
}

function openSocket(target: Target, lender: Lender | null): Promise<Socket> {
  const reading = lender === null ? {} : { onread: lender.options };
  return new Promise((resolve, reject) => {
    const socket = isSocketDirectory(target.host)
      ? connectSocket({ path: socketPath(target.host, target.port), ...reading })
      : connectSocket({
          host: target.host,
          port: target.port,
          noDelay: true,
          keepAlive: true,
          keepAliveInitialDelay: 30_000,
          ...reading,
        });
    socket.setTimeout(target.connectTimeoutMs, () =>
      socket.destroy(new Error(`No connection to the database within ${target.connectTimeoutMs / 1000} s`)),
    );
    socket.once('error', reject);
    socket.once('connect', () => {
      socket.setTimeout(0);
      socket.off('error', reject);
      resolve(socket);
    });
  });
}

async function secureSocket(socket: Socket, target: Target, insist: boolean): Promise<Socket> {
  const out = new Writer();
  out.sslRequest();
  const answer = await new Promise<number>((resolve, reject) => {
    socket.once('error', reject);
    socket.once('close', () => reject(new Error('The database hung up when asked for TLS')));
    socket.once('data', (bytes: Buffer) => {
      socket.pause();
      socket.removeAllListeners('error');
      socket.removeAllListeners('close');
      // More than the one byte would be something slipped in before TLS began.
      if (bytes.length !== 1) reject(new Error('The database answered the request for TLS with more than a yes or no'));
      else resolve(bytes[0] as number);
    });
    socket.write(out.view());
  });
  if (answer !== 0x53) {
    if (insist) throw new Error(`The database does not offer TLS, and sslmode=${target.sslmode} insists on it`);
    return socket;
  }
  return new Promise((resolve, reject) => {
    const secure = connectTls({ socket, ...tlsOptions(target) });
    secure.once('error', reject);
    secure.once('close', () => reject(new Error('The database hung up during the TLS handshake')));
    secure.once('secureConnect', () => {
      secure.removeAllListeners('error');
      secure.removeAllListeners('close');
      resolve(secure);
    });
  });
}

/** libpq's modes: `require` checks the certificate only when a root file is given; `verify-full` checks the name too. */
export function tlsOptions(target: Target): ConnectionOptions {
  const verifies =
    target.sslmode === 'verify-ca' ||
    target.sslmode === 'verify-full' ||
    (target.sslmode === 'require' && target.sslrootcert !== null);
  const roots =
    target.sslrootcert === null || target.sslrootcert === 'system' ? null : readFileSync(target.sslrootcert);
  const options: ConnectionOptions = {
    minVersion: 'TLSv1.2',
    ALPNProtocols: ['postgresql'],
    rejectUnauthorized: verifies,
    ca: verifies ? (roots ?? [...rootCertificates]) : undefined,
    cert: target.sslcert === null ? undefined : readFileSync(target.sslcert),
    key: target.sslkey === null ? undefined : readFileSync(target.sslkey),
    passphrase: target.sslpassword ?? undefined,
  };
  if (isIP(target.host) === 0) options.servername = target.host;
  else options.host = target.host;
  if (target.sslmode !== 'verify-full')
    options.checkServerIdentity = (_host: string, _certificate: PeerCertificate) => undefined;
  return options;
}

function authenticate(socket: Socket, target: Target, lender: Lender | null, extra: Parameters): Promise<Dialled> {
  const receive = (taker: Taker): void => {
    if (lender !== null) lender.receive(taker);
    else {
      socket.removeAllListeners('data');
      socket.on('data', (chunk: Buffer) => taker.push(chunk));
    }
  };
  return new Promise((resolve, reject) => {
    const parameters = new Map<string, string>();
    const out = new Writer();
    let scram: ScramStep | null = null;
    let serverSignature: Buffer | null = null;
    let pid = 0;
    let secret: Buffer = Buffer.alloc(0);

    const send = (): void => {
      socket.write(Buffer.from(out.view()));
      out.reuse();
    };
    const fail = (error: unknown): void => {
      receive({ push: () => undefined });
      reject(error);
    };
    const password = (): string => {
      if (target.password === null)
        throw new PostgresError(
          '28P01',
          `The database asks ${target.user} for a password and the address has none`,
          null,
          null,
        );
      return target.password;
    };
    const answer = (kind: number, bytes: Buffer, start: number, end: number): void => {
      if (kind === 0) return;
      if (kind === 3) out.password(password());
      else if (kind === 5) out.password(md5Answer(target.user, password(), bytes.subarray(start + 4, start + 8)));
      else if (kind === 10) {
        const mechanisms = bytes.toString('latin1', start + 4, end).split('\0');
        if (!mechanisms.includes('SCRAM-SHA-256'))
          throw new Error(`The database wants ${mechanisms.join(' or ')}; SCRAM-SHA-256 is what we speak`);
        password();
        scram = scramFirst();
        out.saslInitial('SCRAM-SHA-256', scram.first);
      } else if (kind === 11 && scram !== null) {
        scramFinal(scram, password(), bytes.toString('utf8', start + 4, end)).then((final) => {
          serverSignature = final.serverSignature;
          out.password(Buffer.from(final.message));
          send();
        }, fail);
        return;
      } else if (kind === 12 && serverSignature !== null) {
        scramVerify(bytes.toString('utf8', start + 4, end), serverSignature);
        return;
      } else
        throw new Error(
          `The database asks for authentication method ${kind}, which is not supported; use scram-sha-256, md5 or a certificate`,
        );
      send();
    };
    const reader = new Reader((type, bytes, start, end) => {
      if (type === 0x52) answer(int32(bytes, start), bytes, start, end);
      else if (type === 0x53) {
        const zero = endOfText(bytes, start, end);
        const value = bytes.toString('utf8', zero + 1, endOfText(bytes, zero + 1, end));
        parameters.set(bytes.toString('utf8', start, zero), value);
      } else if (type === 0x4b) {
        pid = int32(bytes, start);
        secret = Buffer.from(bytes.subarray(start + 4, end));
      } else if (type === 0x45) throw readError(bytes, start, end);
      else if (type === 0x5a) {
        socket.pause();
        socket.removeAllListeners('error');
        socket.removeAllListeners('close');
        resolve({ socket, receive, lends: lender !== null, pid, secret, parameters });
      }
    }, fail);
    socket.on('error', fail);
    socket.once('close', () => fail(new Error('The database hung up before the connection was ready')));
    receive(reader);
    // Only what poolers track: others are refused by PgBouncer.
    out.startup({
      user: target.user,
      database: target.database,
      client_encoding: 'UTF8',
      DateStyle: 'ISO',
      application_name: target.applicationName,
      ...(target.options === null ? {} : { options: target.options }),
      ...extra,
    });
    send();
    socket.resume();
  });
}
