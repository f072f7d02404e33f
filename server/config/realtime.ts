// Live changes, messages and presence at /realtime/v1: what one connection may ask for, and what Postgres is asked for.

import { choice, flag, whole } from './setting.ts';

export const realtimeSettings = {
  maxConnections: whole(
    'REALTIME_MAX_CONNECTIONS',
    { min: 0, max: 1_000_000 },
    { meaning: 'Sockets a process serves; others can’t join channels.', fallback: 10_000 },
  ),
  maxChannels: whole(
    'REALTIME_MAX_CHANNELS',
    { min: 1, max: 100_000 },
    { meaning: 'Channels one socket may have joined at a time.', fallback: 100 },
  ),
  joinsPerSecond: whole(
    'REALTIME_JOINS_PER_SECOND',
    { min: 1, max: 100_000 },
    { meaning: 'Joins a second of one socket; beyond, it is closed.', fallback: 100 },
  ),
  messagesPerSecond: whole(
    'REALTIME_MESSAGES_PER_SECOND',
    { min: 1, max: 1_000_000 },
    {
      meaning:
        'Messages a second of one socket or HTTP caller; beyond it the channel is closed, the request answered with 429.',
      fallback: 500,
    },
  ),
  presencePerWindow: whole(
    'REALTIME_PRESENCE_PER_30S',
    { min: 1, max: 1_000_000 },
    {
      meaning: 'Presence messages of one channel in 30 seconds; beyond, it is closed.',
      fallback: 100,
    },
  ),
  maxPayloadKb: whole(
    'REALTIME_MAX_PAYLOAD_KB',
    { min: 1, max: 100_000 },
    { meaning: 'Largest broadcast or presence payload.', fallback: 3000 },
  ),
  maxRecordKb: whole(
    'REALTIME_MAX_RECORD_KB',
    { min: 1, max: 1_000_000 },
    { meaning: 'Largest changed row; of a larger one only its short values are sent.', fallback: 1024 },
  ),
  sendBufferKb: whole(
    'REALTIME_SEND_BUFFER_KB',
    { min: 16, max: 1_000_000 },
    { meaning: 'Buffer for a socket that reads too slowly; beyond it the socket is closed.', fallback: 8192 },
  ),
  pingSeconds: whole(
    'REALTIME_PING_SECONDS',
    { min: 1, max: 300 },
    {
      meaning:
        'How often each socket is pinged; without a response before the next ping it is gone, with its presence.',
      fallback: 10,
    },
  ),
  privateOnly: flag('REALTIME_PRIVATE_ONLY', {
    meaning: 'Whether only private channels may be joined, which policies on realtime.messages decide about.',
    fallback: false,
  }),
  source: choice('REALTIME_SOURCE', ['auto', 'log', 'triggers', 'off'], {
    meaning:
      'Where changes come from: Postgres’ log (wal_level=logical), triggers, or nowhere; auto: the log where possible.',
    fallback: 'auto',
  }),
  walLimitMb: whole(
    'REALTIME_WAL_LIMIT_MB',
    { min: 16, max: 1_000_000 },
    { meaning: 'WAL that may wait to be read by this process.', fallback: 512 },
  ),
  walLimitAction: choice('REALTIME_WAL_LIMIT_ACTION', ['refetch', 'warn'], {
    meaning: 'At that limit: start over and tell subscribers to refetch, or log a warning.',
    fallback: 'refetch',
  }),
  messagesDays: whole(
    'REALTIME_MESSAGES_DAYS',
    { min: 1, max: 3650 },
    { meaning: 'Days that messages in realtime.messages are kept for replay.', fallback: 3 },
  ),
} as const;
