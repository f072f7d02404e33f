// The latest value of something, for what happens between renders: a timer, a listener, leaving. Written once a picture is kept,
// never while one is being made: React may throw that one away.

import { type RefObject, useInsertionEffect, useRef } from 'react';

export function useLatest<T>(value: T): RefObject<T> {
  const latest = useRef(value);
  useInsertionEffect(() => {
    latest.current = value;
  });
  return latest;
}
