// The part of s3rver that tests use; the package has no types.

declare module 's3rver' {
  export default class S3rver {
    constructor(options: {
      port: number;
      address: string;
      silent: boolean;
      directory: string;
      configureBuckets: readonly { name: string; configs: readonly string[] }[];
    });
    run(): Promise<{ port: number }>;
    close(): Promise<void>;
  }
}
