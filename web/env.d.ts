// Types that TypeScript does not know by itself. Style sheets of components are not declared here: each has its own generated declaration.

/// <reference types="vite/types/importMeta.d.ts" />

declare module '*/styles/base.css';
declare module '*/styles/tokens.css';
