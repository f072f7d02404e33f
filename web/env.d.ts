// What TypeScript cannot see by itself. Sheets of components are not declared here: each has its own declaration, made of what is in it.

/// <reference types="vite/types/importMeta.d.ts" />

declare module '*/styles/base.css';
declare module '*/styles/tokens.css';
