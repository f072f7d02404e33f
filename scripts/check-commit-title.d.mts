// Types of check-commit-title.mjs, for tests.
export function faultOfTitle(title: string): string | null;
