// Session of the user. Bootstrap: restore → profile → set → loading off → listen; past the limit the local session is cleared and loading
// ends. Free of React and of the client: it gets ports, so a test can hand it a clock and a silence.

export interface SessionUser {
  readonly id: string;
  readonly email: string;
  /** Is offered the admin pages; whether they open, the server decides. */
  readonly operator?: true;
}

export interface Profile {
  readonly id: string;
  readonly displayName: string | null;
  readonly avatarUrl: string | null;
}

export interface LiveSession {
  readonly user: SessionUser;
  /** A second factor is enrolled and has not been shown in this session yet. */
  readonly factorDue: boolean;
}

export interface SessionState {
  readonly loading: boolean;
  readonly session: LiveSession | null;
  readonly user: SessionUser | null;
  readonly profile: Profile | null;
}

export interface ProfileColumns {
  readonly id: string;
  readonly display_name?: string | null;
  readonly avatar_url?: string | null;
}

export interface SessionPorts {
  /** From cookies or local storage; null when nobody is signed in. */
  restore(): Promise<LiveSession | null>;
  readProfile(userId: string): Promise<ProfileColumns | null>;
  /** The row as this device knows it from before: nobody waits for the server then, which is asked all the same. */
  rememberedProfile(userId: string): ProfileColumns | null;
  listen(listener: (event: string, session: LiveSession | null) => void): () => void;
  /** Tells the server; may fail or hang. */
  signOutRemotely(): Promise<void>;
  /** Removes the session from this browser; must not need the network. */
  clearLocally(): Promise<void>;
  /** Wipes what this device remembers of someone who signs out. */
  forget(userId: string): Promise<void>;
  setTimer(work: () => void, ms: number): unknown;
  clearTimer(handle: unknown): void;
}

export interface SessionHolder {
  readonly state: SessionState;
  subscribe(listener: () => void): () => void;
  start(): Promise<void>;
  signOut(): Promise<void>;
  /** Reads the profile again, after the person changed it. */
  reloadProfile(): Promise<void>;
  stop(): void;
}

export const bootstrapLimit = 15_000;
/** How long signing out waits for the server before it goes on without it. */
export const signOutLimit = 4_000;

const nobody = { session: null, user: null, profile: null } as const;

export function mapProfile(row: ProfileColumns | null): Profile | null {
  if (row === null) return null;
  return { id: row.id, displayName: row.display_name ?? null, avatarUrl: row.avatar_url ?? null };
}

export function holdSession(ports: SessionPorts): SessionHolder {
  let state: SessionState = { loading: true, ...nobody };
  const listeners = new Set<() => void>();
  let unlisten = (): void => undefined;
  /** Answers of an older question must not overwrite a newer one. */
  let turn = 0;
  let stopped = false;

  function set(next: Partial<SessionState>): void {
    if (stopped) return;
    state = { ...state, ...next };
    for (const listener of listeners) listener();
  }

  async function profileOf(session: LiveSession): Promise<Profile | null> {
    try {
      return mapProfile(await ports.readProfile(session.user.id));
    } catch {
      // A profile that cannot be read does not keep anyone out.
      return null;
    }
  }

  async function applySession(session: LiveSession | null): Promise<void> {
    const mine = ++turn;
    if (session === null) {
      set({ ...nobody, loading: false });
      return;
    }
    const { user } = session;
    const known = state.user?.id === user.id ? state.profile : null;
    const remembered = known ?? mapProfile(ports.rememberedProfile(user.id));
    const profile = remembered ?? (await profileOf(session));
    if (mine !== turn) return;
    set({ session, user, profile, loading: false });
    if (known === null && remembered !== null) void reloadProfile();
  }

  async function reloadProfile(): Promise<void> {
    const { user } = state;
    if (user === null) return;
    try {
      const profile = mapProfile(await ports.readProfile(user.id));
      if (state.user?.id === user.id) set({ profile });
    } catch {
      // What was known of it stays.
    }
  }

  async function start(): Promise<void> {
    let late = false;
    await new Promise<void>((resolve) => {
      const limit = ports.setTimer(() => {
        late = true;
        turn++;
        set({ ...nobody, loading: false });
        ports.clearLocally().catch(() => undefined);
        resolve();
      }, bootstrapLimit);
      const boot = async (): Promise<void> => {
        const session = await ports.restore().catch(() => null);
        if (late) return;
        await applySession(session);
      };
      void boot().then(() => {
        if (late) return;
        ports.clearTimer(limit);
        resolve();
      });
    });
    if (stopped) return;
    unlisten = ports.listen((event, session) => {
      // The restored session was applied above; the client announces it once more. Only if it became another meanwhile is that news.
      if (event === 'INITIAL_SESSION' && (state.user === null || session?.user.id === state.user.id)) return;
      void applySession(session);
    });
  }

  return {
    get state() {
      return state;
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    start,
    async signOut() {
      turn++;
      const leaving = state.user;
      const remote = ports.signOutRemotely().catch(() => undefined);
      let handle: unknown;
      const timeout = new Promise<void>((resolve) => {
        handle = ports.setTimer(resolve, signOutLimit);
      });
      await Promise.race([remote, timeout]);
      ports.clearTimer(handle);
      await ports.clearLocally().catch(() => undefined);
      set({ ...nobody, loading: false });
      if (leaving !== null) await ports.forget(leaving.id).catch(() => undefined);
    },
    reloadProfile,
    stop() {
      stopped = true;
      unlisten();
      listeners.clear();
    },
  };
}
