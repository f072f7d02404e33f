import { describe, expect, test } from 'vitest';
import { describeTarget, parseTarget } from './target.ts';

describe('an address', () => {
  test('has its parts in the usual places', () => {
    expect(parseTarget('postgres://ann:p%40ss%20word@db.example.com:6432/boards?sslmode=require')).toMatchObject({
      host: 'db.example.com',
      port: 6432,
      user: 'ann',
      password: 'p@ss word',
      database: 'boards',
      sslmode: 'require',
    });
  });

  test('leaves out what has a default', () => {
    expect(parseTarget('postgresql://ann@db/')).toMatchObject({
      port: 5432,
      database: 'ann',
      password: null,
      sslmode: 'prefer',
    });
    expect(parseTarget('postgres://[2001:db8::1]:5433/x')).toMatchObject({ host: '2001:db8::1', port: 5433 });
  });

  test('of a socket goes in host=, or escaped in the host itself, without TLS', () => {
    const inQuery = parseTarget('postgres://ann@/boards?host=%2Fvar%2Frun%2Fpostgresql&port=5433');
    expect(inQuery).toMatchObject({ host: '/var/run/postgresql', port: 5433, sslmode: 'disable' });
    expect(parseTarget('postgres://ann@%2Fvar%2Frun/boards')).toMatchObject({ host: '/var/run', database: 'boards' });
  });

  test('means by ssl=true and sslrootcert=system what libpq means', () => {
    expect(parseTarget('postgres://db/x?ssl=true').sslmode).toBe('require');
    expect(parseTarget('postgres://db/x?sslrootcert=system').sslmode).toBe('verify-full');
  });

  test('is refused with words when it makes no sense', () => {
    expect(() => parseTarget('mysql://db/x')).toThrow(/must look like postgres:/);
    expect(() => parseTarget('postgres://db/x?sslmode=yes')).toThrow(
      /sslmode=yes is not one of disable, allow, prefer/,
    );
    expect(() => parseTarget('postgres://db/x?sslmood=require')).toThrow(/nobody knows: sslmood/);
    expect(() => parseTarget('postgres://a:100%@db/x')).toThrow(/%25/);
    expect(() => parseTarget('postgres://a,b/x')).toThrow(/several hosts/);
    expect(() => parseTarget('postgres://db/x?channel_binding=require')).toThrow(/verify-full/);
  });

  test('is described without its password', () => {
    expect(describeTarget(parseTarget('postgres://ann:secret@db/x'))).toBe('ann@db:5432/x');
    expect(describeTarget(parseTarget('postgres://ann:secret@/x?host=/run'))).toBe('ann@socket in /run/x');
  });
});
