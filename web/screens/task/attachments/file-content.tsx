// Content of a file other than a picture, as far as it can be shown here: PDF, text, sound, film.

import { useEffect, useState } from 'react';
import { useFetchFile, useSignFile } from '../../../files/react.ts';
import { type AttachmentRow, type FileKind, kindOf } from '../../../queries.ts';
import { t } from '../../../strings/messages.ts';
import shapes from '../../../styles/shapes.module.css';
import { Notice } from '../../../ui/list-states.tsx';
import { FileSign } from './file-sign.tsx';
import styles from './viewer.module.css';

/** Bytes of a text that are shown. */
const shownText = 256 * 1024;
/** A link that a player follows piece by piece; it asks for a new one when this has run out. */
const playSeconds = 600;

export function FileContent({ attachment }: { attachment: AttachmentRow }) {
  const kind: FileKind = kindOf(attachment);
  if (kind === 'pdf') return <Pdf attachment={attachment} />;
  if (kind === 'text') return <Text attachment={attachment} />;
  if (kind === 'audio' || kind === 'video') return <Player attachment={attachment} kind={kind} />;
  return (
    <div className={`${shapes.stackS4} ${styles.noPreview}`}>
      <FileSign file={attachment} />
      <p>{t('files.viewer.noPreview')}</p>
    </div>
  );
}

export function Failed({ name }: { name: string }) {
  return (
    <div className={`${shapes.stackS4} ${styles.noPreview}`}>
      <Notice tone="warn">{t('files.viewer.failed', { name })}</Notice>
    </div>
  );
}

export function Waiting({ name }: { name: string }) {
  return (
    <p className={`${shapes.stackS4} ${styles.noPreview}`} role="status">
      {t('files.viewer.loading', { name })}
    </p>
  );
}

/** Loads something of a file; null while it is on its way. */
function useLoaded<T>(load: (signal: AbortSignal) => Promise<T>, path: string): { value: T | null; failed: boolean } {
  const [loaded, setLoaded] = useState<{ value: T | null; failed: boolean }>({ value: null, failed: false });
  // biome-ignore lint/correctness/useExhaustiveDependencies: the path stands for the file
  useEffect(() => {
    const stop = new AbortController();
    setLoaded({ value: null, failed: false });
    load(stop.signal).then(
      (value) => !stop.signal.aborted && setLoaded({ value, failed: false }),
      () => !stop.signal.aborted && setLoaded({ value: null, failed: true }),
    );
    return () => stop.abort();
  }, [path]);
  return loaded;
}

function Pdf({ attachment: { name, object_path } }: { attachment: AttachmentRow }) {
  const fetchFile = useFetchFile();
  const { value, failed } = useLoaded(async (signal) => {
    const response = await fetchFile(object_path, { signal });
    // Whatever it says of itself: as a PDF it can do nothing here.
    return new Blob([await response.blob()], { type: 'application/pdf' });
  }, object_path);
  const [url, setUrl] = useState<string | null>(null);
  useEffect(() => {
    if (value === null) return undefined;
    const made = URL.createObjectURL(value);
    setUrl(made);
    return () => {
      setUrl(null);
      URL.revokeObjectURL(made);
    };
  }, [value]);
  if (failed) return <Failed name={name} />;
  if (url === null) return <Waiting name={name} />;
  return <iframe className={`${shapes.full} ${shapes.tall} ${styles.pdf}`} src={url} title={name} />;
}

function Text({ attachment: { name, object_path, size_bytes } }: { attachment: AttachmentRow }) {
  const fetchFile = useFetchFile();
  const { value, failed } = useLoaded(
    async (signal) =>
      (await fetchFile(object_path, size_bytes > shownText ? { first: shownText, signal } : { signal })).text(),
    object_path,
  );
  if (failed) return <Failed name={name} />;
  if (value === null) return <Waiting name={name} />;
  return (
    <div className={`${shapes.column} ${shapes.clipped} ${styles.textRoom}`}>
      {size_bytes > shownText && <Notice>{t('files.viewer.firstPart')}</Notice>}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be reached by keys */}
      <pre className={`${shapes.scroll} ${shapes.panel} ${shapes.surface} ${shapes.small} ${styles.text}`} tabIndex={0}>
        {value}
      </pre>
    </div>
  );
}

function Player({ attachment: { name, object_path }, kind }: { attachment: AttachmentRow; kind: 'audio' | 'video' }) {
  const sign = useSignFile();
  const [attempt, setAttempt] = useState(0);
  const [at, setAt] = useState(0);
  const { value, failed } = useLoaded(() => sign(object_path, playSeconds), `${object_path} ${attempt}`);
  if (failed || attempt > 3) return <Failed name={name} />;
  if (value === null) return <Waiting name={name} />;
  const playback = {
    src: value,
    controls: true,
    'aria-label': name,
    preload: 'metadata',
    onLoadedMetadata: (event: { currentTarget: HTMLMediaElement }) => {
      if (at > 0) event.currentTarget.currentTime = at;
    },
    // The link has run out, or the server was away: on from where it stood.
    onError: (event: { currentTarget: HTMLMediaElement }) => {
      setAt(event.currentTarget.currentTime);
      setAttempt(attempt + 1);
    },
  } as const;
  return kind === 'audio' ? (
    <audio className={styles.audio} {...playback} />
  ) : (
    <video className={`${shapes.within} ${shapes.short} ${styles.video}`} {...playback} />
  );
}
